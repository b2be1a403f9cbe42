// Package web is the explorer in the browser: a page on which one steps through a
// system move by move, with its states, its network, its diagram, and the path so
// far as a sequence diagram.
//
// The page is embedded and needs nothing from elsewhere. The address of a page
// holds the setting and the path, so that a link restores both on another
// machine. The server keeps nothing: every request says all, and is bounded in what it
// may ask for. It answers only under its own name, an IP address or localhost, so
// that no other site can reach it through a name that it makes its own (DNS
// rebinding).
package web

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"github.com/caulk-go/caulk/internal/hostname"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

//go:embed static
var static embed.FS

// Config is what the page is about.
type Config struct {
	Algorithms []model.Algorithm // that can be chosen
	Flags      string            // the setting that the page begins with, as flags of the command line

	// System makes the system that such flags ask for. An error is one line, for
	// the page to show.
	System func(ctx context.Context, flags []string) (model.System, error)

	// Test writes a Go test that makes the moves of a path again.
	Test func(sys *model.System, path trace.Path) ([]byte, error)

	Name string // the program's, for the commands that the page shows
	Host string // another name under which the page may be asked for; empty for none
}

// The bounds of what a request may ask for.
const (
	mostBytes   = 1 << 20 // of a request
	mostMoves   = 2000    // of a path
	mostDrawn   = 200     // moves of a sequence diagram
	mostStates  = 500_000 // of a search
	longest     = 20 * time.Second
	handlerTime = 2 * time.Second // of one call of the user's code
	searches    = 2               // at a time
)

// Handler serves the page. It may be called from several goroutines, as far as
// the algorithms allow it.
func Handler(c Config) http.Handler {
	s := &server{Config: c, searching: make(chan struct{}, searches)}
	files, err := fs.Sub(static, "static")
	if err != nil {
		panic(err) // the folder is embedded
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(files))
	mux.HandleFunc("GET /api/algorithms", s.algorithms)
	mux.HandleFunc("POST /api/state", answer(s.state))
	mux.HandleFunc("POST /api/find", answer(s.find))
	mux.HandleFunc("POST /api/diagram", answer(s.diagram))
	mux.HandleFunc("POST /api/file", answer(s.file))
	return s.guard(mux)
}

type server struct {
	Config
	searching chan struct{} // a token for each search under way
}

// guard refuses what is not meant for this server, and says what pages may do.
func (s *server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.mine(r.Host) {
			http.Error(w, fmt.Sprintf("this is not %s: open the address that %s serve has printed", r.Host, s.Name), http.StatusForbidden)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache")
		next.ServeHTTP(w, r)
	})
}

// mine says whether a host is this server: a number cannot be made to mean another
// machine, a name can.
func (s *server) mine(host string) bool {
	return hostname.Own(host) || s.Host != "" && strings.EqualFold(hostname.Of(host), s.Host)
}

// answer reads a request as JSON and writes what the function makes of it. Its
// error is the page's to show: one line.
func answer[Q, A any](f func(context.Context, Q) (A, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
			http.Error(w, "a request is JSON", http.StatusUnsupportedMediaType)
			return
		}
		var q Q
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostBytes)).Decode(&q); err != nil {
			refuse(w, fmt.Errorf("the request cannot be read: %w", err))
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), longest)
		defer cancel()
		a, err := f(ctx, q)
		if err != nil {
			refuse(w, err)
			return
		}
		write(w, http.StatusOK, a)
	}
}

func refuse(w http.ResponseWriter, err error) {
	status := http.StatusUnprocessableEntity
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		status, err = http.StatusServiceUnavailable, fmt.Errorf("it took longer than %s", longest)
	}
	write(w, status, map[string]string{"error": err.Error()})
}

func write(w http.ResponseWriter, status int, a any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(a) // who asked may be gone
}

// algorithms lists what can be chosen.
func (s *server) algorithms(w http.ResponseWriter, _ *http.Request) {
	type param struct {
		Name, Doc         string
		Default, Min, Max int
	}
	type algorithm struct {
		Name, Summary, Doc, Source, Hole string
		Params                           []param
	}
	list := []algorithm{}
	for _, a := range s.Algorithms {
		entry := algorithm{Name: a.Name, Summary: a.Summary, Doc: a.Doc, Source: a.Source, Hole: a.Hole}
		for _, p := range a.Params {
			entry.Params = append(entry.Params, param(p))
		}
		list = append(list, entry)
	}
	write(w, http.StatusOK, map[string]any{"algorithms": list, "flags": s.Flags})
}
