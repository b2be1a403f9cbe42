package web_test

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

var screenshots = flag.Bool("screenshots", false, "take the screenshots in docs/pictures again")

// browser is a tab of headless Chromium, and what the page complained of.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu         sync.Mutex
	complaints []string
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			program = found
			break
		}
	}
	if program == "" {
		t.Skip("there is no chromium: apt-get install chromium")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU)...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{t: t, ctx: ctx}
	b.do(chromedp.EmulateViewport(1280, 900))
	go func() {
		for m, err := range chromedp.Console(ctx) {
			if err != nil {
				return
			}
			// What the server refuses is told on the page, and by the browser.
			if m.IsException() || m.Type == "error" && !strings.Contains(m.Text, "422") {
				b.mu.Lock()
				b.complaints = append(b.complaints, m.Text)
				b.mu.Unlock()
			}
		}
	}()
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, c := range b.complaints {
			t.Errorf("on the console: %s", c)
		}
	})
	return b
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// until waits for a JavaScript expression to be true.
func (b *browser) until(expression string) {
	b.t.Helper()
	var err error
	for range 5 { // a page that is being left has no answer
		_, err = chromedp.Run(b.ctx, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(time.Minute)))
		if err == nil || !strings.Contains(err.Error(), "context with specified id") {
			break
		}
	}
	if err != nil {
		text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("document.body.innerText"))
		b.t.Fatalf("%s: %v; the page says\n%s", expression, err, text)
	}
}

func (b *browser) script(expression string) {
	b.t.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[any](expression+"; null")); err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
}

// label waits for the page to show a state.
func (b *browser) label(want string) {
	b.t.Helper()
	b.until("document.getElementById('label').textContent === '" + want + "'")
}

// says waits for the page to say something.
func (b *browser) says(want string) {
	b.t.Helper()
	b.until("document.getElementById('status').textContent.includes('" + want + "')")
}

// shoot takes a screenshot, if they are asked for.
func (b *browser) shoot(name string) {
	b.t.Helper()
	if !*screenshots {
		return
	}
	b.until("document.querySelector('#diagram svg') !== null")
	picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("..", "docs", "pictures", name), picture, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// Moves by mouse and by key, undo, the violation, a link, and the diagram.
func TestPage(t *testing.T) {
	address := serve(t, "--algo", "mark2", "--wipe", "3")
	b := newBrowser(t)
	b.do(chromedp.Navigate(address))
	b.label("R1I0I0")

	b.do(chromedp.Click("#moves li:nth-child(1) button"))
	b.until("document.querySelectorAll('#path li').length === 2")
	b.until("document.querySelector('.agent.moved .change') !== null") // the difference is highlighted
	b.until("document.querySelector('#sequence svg line[marker-end]') !== null")
	b.until("document.querySelector('#diagram .node.here title')?.textContent === document.getElementById('label').textContent")
	b.do(chromedp.KeyEvent("1"))
	b.until("document.querySelectorAll('#path li').length === 3")
	b.do(chromedp.KeyEvent("\b"))
	b.until("document.querySelectorAll('#path li').length === 2")
	b.do(chromedp.Click("#again"))
	b.label("R1I0I0")

	b.do(chromedp.Click("#violation"))
	b.label("L1I0I0")
	b.says("agents 2 and 3 are idle at n=0 with different stores")
	b.until("document.querySelector('#properties .bad')?.textContent.startsWith('fails here')")
	b.shoot("violation.png")

	// The address alone restores it, in a tab that knows nothing.
	link, err := chromedp.Run(b.ctx, chromedp.Location())
	if err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(link))
	b.label("L1I0I0")
	b.until("document.getElementById('flags').value === '--wipe 3' && document.querySelectorAll('#path li').length === 5")

	// The browser's own back goes back in the path.
	b.do(chromedp.Click("#path li:nth-child(3) button"))
	b.label("L1I0P1")
	b.script("history.back()")
	b.label("L1I0I0")

	// A node of the diagram leads to its label.
	const node = "[...document.querySelectorAll('#diagram .node')].find((n) => n.querySelector('title').textContent === 'I1I1I1')"
	b.until(node + " !== undefined")
	b.script(node + ".dispatchEvent(new MouseEvent('click'))")
	b.label("I1I1I1")
	b.do(chromedp.Click("#end"))
	b.says("nothing more can happen")
	b.do(chromedp.Click("#again"))
	b.label("R1I0I0")
	b.do(chromedp.Click("#random"))
	b.until("document.querySelectorAll('#path li').length > 3")
}

// Another algorithm and setting are chosen on the page; what is wrong with one is
// said, and the page stays where it was.
func TestSettingOnThePage(t *testing.T) {
	address := serve(t, "--algo", "mark1")
	b := newBrowser(t)
	b.do(chromedp.Navigate(address))
	b.label("R1I0I0")
	b.script("const s = document.getElementById('algo'); s.value = 'twophase'; s.dispatchEvent(new Event('change'))")
	b.label("WWWI0")
	b.script("document.getElementById('flags').value = '--param managers=2'; document.querySelector('#setting button').click()")
	b.label("WWI0")
	b.script("document.getElementById('flags').value = '--param managers=0'; document.querySelector('#setting button').click()")
	b.says("parameter managers of twophase is 1 to 16, not 0")
	b.label("WWI0")

	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address+"#nonsense"))
	b.says("the link is damaged")
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address+`#%7B%22f%22%3A%22--algo%20mark1%22%2C%22s%22%3A0%2C%22p%22%3A%5B%22Wipe%209%22%5D%7D`))
	b.says("move 1 of the link, Wipe 9, is not possible there")
}

// A phone's width needs no scrolling from side to side, and the page can be used
// by the keyboard and read aloud: everything that can be pressed has a name.
func TestNarrowAndAccessible(t *testing.T) {
	address := serve(t, "--algo", "mark3", "--start", "1=x", "--start", "2=y")
	b := newBrowser(t)
	b.do(chromedp.EmulateViewport(390, 844), chromedp.Navigate(address))
	b.label("R1R1I0")
	b.until("document.documentElement.scrollWidth <= window.innerWidth")
	b.until("[...document.querySelectorAll('button, select, input')].every((e) => e.textContent.trim() || e.labels && e.labels.length)")
	b.until("document.getElementById('status').getAttribute('role') === 'status' && document.documentElement.lang === 'en'")
	b.shoot("phone.png")
}

// Hundreds of random moves leave nothing behind: the server keeps no state, and the
// page no more than its path.
func TestManyMoves(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long")
	}
	address := serve(t, "--algo", "mark4", "--start", "1=x", "--start", "2=y")
	b := newBrowser(t)
	b.do(chromedp.Navigate(address))
	b.until("document.querySelectorAll('#moves button').length > 0")
	const nodes = "document.getElementsByTagName('*').length"
	for range 10 {
		b.do(chromedp.Click("#random"))
		b.until("document.querySelectorAll('#path li').length === 21 || document.querySelectorAll('#moves button').length === 0 || document.querySelectorAll('#wrong li').length > 0")
		b.do(chromedp.Click("#again"))
		b.until("document.querySelectorAll('#path li').length === 1")
	}
	count, err := chromedp.Run(b.ctx, chromedp.Evaluate[int](nodes))
	if err != nil {
		t.Fatal(err)
	}
	if count > 5000 {
		t.Errorf("the page has %d elements", count)
	}
}
