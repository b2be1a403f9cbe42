package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/cli"
)

// serve runs caulk serve until the test ends, and gives the page's address.
func serve(t testing.TB, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	status := make(chan int, 1)
	go func() {
		var complaints bytes.Buffer
		code := cli.Run(ctx, algos.All(), append([]string{"caulk", "serve"}, args...), cli.Streams{In: strings.NewReader(""), Out: in, Err: &complaints})
		in.CloseWithError(io.ErrUnexpectedEOF)
		if code != 0 {
			t.Errorf("serve ended with %d: %s", code, &complaints)
		}
		status <- code
	}()
	t.Cleanup(func() {
		cancel()
		select {
		case <-status:
		case <-time.After(10 * time.Second):
			t.Error("serve goes on after an interrupt")
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// ask posts a request, and gives the status and the answer.
func ask(t testing.TB, url, body string, change func(*http.Request)) (int, map[string]any) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if change != nil {
		change(r)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	answer := map[string]any{}
	if json.Unmarshal(data, &answer) != nil {
		answer["text"] = string(data)
	}
	return response.StatusCode, answer
}

// What a page may ask for, and what it is told where it asks for nonsense.
func TestAnswers(t *testing.T) {
	address := serve(t)
	for _, tt := range []struct {
		what, body string
		status     int
		key, want  string // a part of it
	}{
		{"state", `{"Flags":"--algo mark2"}`, 200, "Label", "R1I0I0"},
		{"state", `{"Flags":"--algo mark2","Path":[{"Label":"{Prepare;1->3;n=1}"}]}`, 200, "Label", "R1I0P1"},
		{"state", `{"Flags":"--algo mark0","Path":[{"Label":"{Prepare;1->3;n=1}"}]}`, 200, "Wrong", "agent 3 is halted"},
		{"state", `{"Flags":"--algo rsync","Start":3}`, 200, "Label", ""},
		{"state", `{"Flags":"--algo mark2","Path":[{"Label":"{Promise;3->1;n=1}"}]}`, 422, "error", "move 1 of the link, {Promise;3->1;n=1}, is not possible there"},
		{"state", `{"Flags":"--algo mark2 --wype 3"}`, 422, "error", "explore has no flag --wype"},
		{"state", `{"Flags":"--algo mark2 --start '1=x"}`, 422, "error", "the flags cannot be read"},
		{"state", `{"Flags":"--algo mark2","Start":7}`, 422, "error", "there is no start state 7"},
		{"state", `{"Flags":"--help"}`, 422, "error", "explore --help lists them"},
		{"state", `nonsense`, 422, "error", "the request cannot be read"},
		{"state", `{"Flags":"` + strings.Repeat("x", 2<<20) + `"}`, 422, "error", "too large"},
		{"find", `{"Flags":"--algo mark2 --wipe 3","To":"violation"}`, 200, "Says", "agents 2 and 3 are idle at n=0 with different stores"},
		{"find", `{"Flags":"--algo mark2","To":"violation"}`, 422, "error", "every property holds, in all 73 states"},
		{"find", `{"Flags":"--algo mark2","To":"end"}`, 200, "Says", "nothing more can happen"},
		{"find", `{"Flags":"--algo mark2","To":"label","Label":"I1I1I1"}`, 200, "Says", "I1I1I1"},
		{"find", `{"Flags":"--algo mark2","To":"label","Label":"nowhere"}`, 422, "error", "no state has the label nowhere"},
		{"find", `{"Flags":"--algo alternatingbit --param resends=0","To":"violation"}`, 200, "Says", "everything is confirmed"},
		{"find", `{"Flags":"--algo mark2","To":"the moon"}`, 422, "error", "to is violation, end or label"},
		{"find", `{"Flags":"--algo twophase --param managers=9","To":"label","Label":"nowhere"}`, 422, "error", "the page looks no further"},
		{"diagram", `{"Flags":"--algo mark1"}`, 200, "SVG", "<svg"},
		{"diagram", `{"Flags":"--algo twophase --param managers=5","Around":"WWWWWI0"}`, 200, "Says", "those nearest to this state"},
		{"file", `{"Flags":"--algo mark2 --wipe 3","As":"dot"}`, 200, "Content", "digraph"},
		{"file", `{"Flags":"--algo mark0","Path":[{"Label":"{Prepare;1->3;n=1}"}],"As":"path"}`, 200, "Content", `"caulk/path/v1"`},
		{"file", `{"Flags":"--algo mark0","Path":[{"Label":"{Prepare;1->3;n=1}"}],"As":"test"}`, 200, "Content", "func Test"},
		{"file", `{"Flags":"--algo mark0","As":"test"}`, 422, "error", "nothing fails on this path"},
		{"file", `{"Flags":"--algo mark0","As":"cake"}`, 422, "error", "as is path, dot or test"},
	} {
		status, answer := ask(t, address+"api/"+tt.what, tt.body, nil)
		text, err := json.Marshal(answer[tt.key])
		if err != nil {
			t.Fatal(err)
		}
		if got := unescape(string(text)); status != tt.status || !strings.Contains(got, tt.want) {
			t.Errorf("%s %.80s: status %d, %s %s; want %d, with %s", tt.what, tt.body, status, tt.key, got, tt.status, tt.want)
		}
	}
}

// unescape undoes what JSON does to < and >, and to quotes.
func unescape(s string) string {
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\"`, `"`).Replace(s)
}

// A name that somebody else may point at this machine is refused, and so is what a
// page of another site could post.
func TestStrangersAreRefused(t *testing.T) {
	address := serve(t, "--algo", "mark2")
	state := address + "api/state"
	const body = `{"Flags":"--algo mark2"}`
	for host, want := range map[string]int{"evil.example": 403, "evil.example:80": 403, "localhost": 200, "localhost:8080": 200, "127.0.0.1": 200, "[::1]:80": 200} {
		if status, _ := ask(t, state, body, func(r *http.Request) { r.Host = host }); status != want {
			t.Errorf("host %s: status %d, want %d", host, status, want)
		}
	}
	if status, _ := ask(t, state, body, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }); status != 415 {
		t.Errorf("a form of another site is answered with status %d", status)
	}
	for _, path := range []string{"api/algorithms", "", "app.js", "style.css"} {
		response, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		size, err := io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if policy := response.Header.Get("Content-Security-Policy"); err != nil || response.StatusCode != 200 || size == 0 || size > 200_000 || !strings.HasPrefix(policy, "default-src 'none'") {
			t.Errorf("%s: %s, %d bytes, policy %q, %v", path, response.Status, size, policy, err)
		}
	}
}

// A link of many moves is bounded.
func TestPathsAreBounded(t *testing.T) {
	address := serve(t)
	path := strings.Repeat(`{"Label":"Wipe 3"},`, 2001)
	status, answer := ask(t, address+"api/state", `{"Flags":"--algo mark2 --wipe 3","Path":[`+strings.TrimSuffix(path, ",")+`]}`, nil)
	if text, _ := answer["error"].(string); status != 422 || !strings.Contains(text, "up to 2000") {
		t.Errorf("status %d, %v", status, answer)
	}
}
