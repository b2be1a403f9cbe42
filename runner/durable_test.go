package runner

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/caulk-go/caulk/model"
)

// slowDisk is a disk whose saves take until they are let go.
type slowDisk struct {
	disk
	saving chan record // has one when a save begins
	let    chan error  // its end
}

func (d *slowDisk) save(r record) error {
	d.saving <- r
	if err := <-d.let; err != nil {
		return err
	}
	return d.disk.save(r)
}

// onSlowDisk is a node whose disk is slow from now on, and agent 2, to which it sends.
func onSlowDisk(t *testing.T) (*shop, *slowDisk, net.Listener) {
	t.Helper()
	two := listener(t)
	t.Cleanup(func() { two.Close() })
	s := openShop(t, func(c *Config) { c.Peers = map[model.ID]string{2: two.Addr().String()} })
	d := &slowDisk{s.disk, make(chan record), make(chan error)}
	s.disk = d
	s.serve()
	return s, d, two
}

// meet has agent 2 take the node's connection.
func meet(t *testing.T, l net.Listener) net.Conn {
	t.Helper()
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	var h hello
	if err := readJSON(conn, &h); err != nil {
		t.Fatal(err)
	}
	if err := writeJSON(conn, welcome{}); err != nil {
		t.Fatal(err)
	}
	return conn
}

// silent says that nothing comes within a moment.
func silent(t *testing.T, conn net.Conn) {
	t.Helper()
	if err := conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if b, err := readFrame(conn, mostFrame); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("before it is durable, agent 2 is sent %q, %v", b, err)
	}
	if err := conn.SetReadDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
}

// Nothing leaves the node before the disk has what it depends on: no message, no
// answer to a client, no status.
func TestNothingLeavesBeforeItIsDurable(t *testing.T) {
	s, d, two := onSlowDisk(t)
	conn := meet(t, two)
	answers := make(chan string, 3)
	var all sync.WaitGroup
	for _, ask := range []struct {
		method, path string
		body         any
	}{
		{"POST", "/input", map[string]any{"action": "drop in"}},
		{"POST", "/put", map[string]any{"client": 1, "number": 2, "key": "k"}},
		{"GET", "/status", nil},
	} {
		first := ask.path == "/input"
		all.Go(func() {
			status, _ := s.ask(ask.method, ask.path, ask.body)
			answers <- fmt.Sprint(ask.path, " ", status)
		})
		if first {
			if r := <-d.saving; r.durable.Seq < 2 {
				t.Errorf("the first save is of step %d", r.durable.Seq)
			}
		}
	}
	silent(t, conn)
	select {
	case a := <-answers:
		t.Errorf("%s, before it is durable", a)
	default:
	}
	released := make(chan struct{})
	go func() {
		d.let <- nil
		for {
			select {
			case <-d.saving:
				d.let <- nil
			case <-released:
				return
			}
		}
	}()
	if _, err := readFrame(conn, mostFrame); err != nil {
		t.Errorf("once it is durable: %v", err)
	}
	all.Wait()
	for range 3 {
		if a := <-answers; !strings.HasSuffix(a, " 200") {
			t.Error(a)
		}
	}
	s.Stop()
	if err := s.Wait(); err != nil {
		t.Error(err)
	}
	close(released)
	s.judged()
}

// A node whose disk fails lets nothing out, and ends.
func TestADiskThatFailsOnce(t *testing.T) {
	s, d, two := onSlowDisk(t)
	conn := meet(t, two)
	answer := make(chan int, 1)
	go func() { answer <- s.dropIn() }()
	<-d.saving
	d.let <- errors.New("the disk is on fire")
	if err := s.Wait(); err == nil || !strings.Contains(err.Error(), "the disk is on fire") {
		t.Errorf("the node ends with %v", err)
	}
	if status := <-answer; status == 200 {
		t.Error("the client was told that it is done")
	}
	if b, err := readFrame(conn, mostFrame); err == nil {
		t.Errorf("agent 2 is sent %q", b)
	}
	if r := s.judged(); r.Undone == 0 {
		t.Error("no step is undone")
	}
}

// The real disk, whose file fails under it: one line says so, nothing is tried
// again, and what was durable is there afterwards.
func TestAFileThatFails(t *testing.T) {
	s := openShop(t, nil)
	if err := s.disk.close(); err != nil {
		t.Fatal(err)
	}
	var file *os.File
	name := filepath.Join(s.c.Data, DiskName)
	broken, err := openBolt(name, identityOf(&s.c, s.machine), func(name string, flag int, mode os.FileMode) (*os.File, error) {
		var err error
		file, err = os.OpenFile(name, flag, mode)
		return file, err
	})
	if err != nil {
		t.Fatal(err)
	}
	s.disk = broken
	s.serve()
	if status := s.dropIn(); status != 200 {
		t.Fatalf("on a sound disk a coin is answered by %d", status)
	}
	file.Close()
	if status := s.dropIn(); status == 200 {
		t.Error("on a broken disk a coin is answered by 200")
	}
	err = s.Wait()
	if err == nil || !strings.HasPrefix(err.Error(), "cannot make "+name+" durable: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("the node ends with %v", err)
	}
	if again := broken.save(record{}); again == nil || again.Error() != err.Error() {
		t.Errorf("another save is answered by %v", again)
	}
	sound, err := openBolt(name, identityOf(&s.c, s.machine), os.OpenFile)
	if err != nil {
		t.Fatal(err)
	}
	defer sound.close()
	if r, found := sound.load(); !found || !strings.Contains(s.machine.FormatState(1, r.kept), "Total: 1,") {
		t.Errorf("afterwards the disk has %+v", r)
	}
}

// A file of another agent, and one that is damaged anywhere, is refused in one line
// and left as it is.
func TestForeignAndDamagedFiles(t *testing.T) {
	s := newShop(t, nil)
	for range 5 {
		s.dropIn()
	}
	s.Stop()
	if err := s.Wait(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(s.c.Data, DiskName)
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(c Config, says string) {
		t.Helper()
		before, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		c.Listener, c.Clients = nil, nil
		n, err := open(c)
		if err == nil {
			_ = n.disk.close()
			t.Errorf("it is taken; it should be refused: %s", says)
		} else if !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("it is refused by %q, not for: %s", err, says)
		}
		after, err := os.ReadFile(name)
		if err != nil || string(after) != string(before) {
			t.Errorf("the file has changed, %v", err)
		}
	}
	other := s.c
	other.Self = 2
	refused(other, "it belongs to agent 1 of 3 of till, not to agent 2 of 3 of till")
	other = s.c
	other.System.Params = map[string]int{"coins": 2}
	refused(other, "it was written with the parameters map[], not map[coins:2]")
	other = s.c
	other.System.Name = "bank"
	refused(other, "it belongs to agent 1 of 3 of till, not to agent 1 of 3 of bank")

	record := strings.Index(string(whole), "caulk/node/v1")
	if record < 0 {
		t.Fatal("the file does not say what it is")
	}
	taken := 0
	for at := 0; at < len(whole); at += 211 {
		damaged := []byte(string(whole))
		for i := at; i < min(at+64, len(damaged)); i++ {
			damaged[i] ^= 0x5a
		}
		dir := t.TempDir() // bbolt keeps its lock if it panics
		name := filepath.Join(dir, DiskName)
		if err := os.WriteFile(name, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		n, err := open(Config{System: s.sys, Self: 1, Data: dir})
		if err != nil {
			if !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "damaged") || strings.Contains(err.Error(), "\n") {
				t.Errorf("damaged at byte %d, it is refused by %q", at, err)
			}
			if got, err := os.ReadFile(name); err != nil || string(got) != string(damaged) {
				t.Errorf("damaged at byte %d, the file is changed, %v", at, err)
			}
			continue
		}
		taken++ // nothing depends on these bytes
		if kept := s.machine.FormatState(1, n.agent.kept); !strings.Contains(kept, "Total: 5,") {
			t.Errorf("damaged at byte %d, it is taken for %s", at, kept)
		}
		_ = n.disk.close()
	}
	if taken == 0 || taken*211 >= len(whole)-5*64 {
		t.Errorf("of %d bytes, damage anywhere is taken %d times", len(whole), taken)
	}
	for _, short := range []int{0, 100, len(whole) / 2} {
		if err := os.WriteFile(name, whole[:short], 0o666); err != nil {
			t.Fatal(err)
		}
		refused(s.c, "is damaged, or no file of a caulk node")
	}
}
