package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"
)

func put(client int, key, value string, from, to int64) porcupine.Operation {
	return porcupine.Operation{ClientId: client, Input: call{true, key, value}, Output: "", Call: from, Return: to}
}

func get(client int, key, value string, from, to int64) porcupine.Operation {
	return porcupine.Operation{ClientId: client, Input: call{false, key, ""}, Output: value, Call: from, Return: to}
}

func TestHistories(t *testing.T) {
	for name, c := range map[string]struct {
		history []porcupine.Operation
		last    string // the one that nothing explains; empty where all is well
		told    int
	}{
		"nothing":                {nil, "", 0},
		"one after the other":    {[]porcupine.Operation{put(0, "a", "1", 1, 2), get(1, "a", "1", 3, 4), get(1, "b", "", 5, 6)}, "", 0},
		"at the same time":       {[]porcupine.Operation{put(0, "a", "1", 1, 9), get(1, "a", "", 2, 3), get(1, "a", "1", 4, 5)}, "", 0},
		"a stale read":           {[]porcupine.Operation{put(0, "a", "1", 1, 2), put(0, "a", "2", 3, 4), get(1, "a", "1", 5, 6), get(1, "a", "2", 7, 8)}, "a 1 5 6", 3},
		"back and forth":         {[]porcupine.Operation{put(0, "b", "1", 1, 20), get(1, "b", "1", 2, 3), get(2, "b", "", 4, 5)}, "b  4 5", 2},
		"never answered":         {[]porcupine.Operation{put(0, "a", "1", 1, never), get(1, "a", "1", 3, 4), get(1, "a", "", 5, 6)}, "a  5 6", 2},
		"never answered, done":   {[]porcupine.Operation{put(0, "a", "1", 1, never), get(1, "a", "", 3, 4), get(1, "a", "1", 5, 6)}, "", 0},
		"out of thin air":        {[]porcupine.Operation{put(0, "a", "1", 1, 2), get(1, "c", "7", 3, 4)}, "c 7 3 4", 1},
		"the second key fails":   {[]porcupine.Operation{get(0, "a", "", 1, 2), put(0, "z", "1", 3, 4), get(1, "z", "", 5, 6)}, "z  5 6", 2},
		"asked after the answer": {[]porcupine.Operation{get(0, "a", "1", 1, 2), put(0, "a", "1", 3, 4)}, "a 1 1 2", 1},
	} {
		h := judgeHistory(c.history)
		if h.Linearizable == nil || *h.Linearizable != (c.last == "") || len(h.Unexplained) != c.told && c.last != "" || h.Operations != len(c.history) {
			t.Errorf("%s: %+v", name, h)
			continue
		}
		if c.last == "" {
			continue
		}
		// the times are nanoseconds
		o := h.Unexplained[len(h.Unexplained)-1]
		if got := strings.Join([]string{o.Key, o.Value, string('0' + rune(o.From*1e9+0.5)), string('0' + rune(o.To*1e9+0.5))}, " "); got != c.last || !o.Answered {
			t.Errorf("%s: nothing explains %s, not %s", name, got, c.last)
		}
	}
}

// A page is drawn also where puts were never answered, whenever they were asked.
func TestThePageOfAHistory(t *testing.T) {
	name := filepath.Join(t.TempDir(), "h.html")
	history := []porcupine.Operation{put(0, "a", "1", 1, 2), put(1, "a", "2", 3, never), put(2, "b", "3", 9, never)}
	if err := drawHistory(name, history); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil || !strings.Contains(string(text), "put b 3") {
		t.Errorf("the page has %d bytes, %v", len(text), err)
	}
}
