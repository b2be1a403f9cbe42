# make check is the whole gate: what passes it may be merged.

TOOL := go tool -modfile=tools/go.mod

# The packages whose tests take -update are those that declare it.
UPDATES = $(sort $(dir $(shell grep -rl --include='*_test.go' 'flag.*"update"' .)))

# The packages that start goroutines, or share what several use: only they can race.
CONCURRENT = $(sort $(dir $(shell grep -rlE --include='*.go' '^[[:space:]]+"sync(/atomic)?"$$|go func' . | grep -v /testdata/)))

# Every diagram that `make diagrams` draws: an algorithm, and who is wiped.
DIAGRAMS := mark0 mark1 mark2 mark2b mark3 mark1/3 mark2/3 mark2b/3 mark3/3

.PHONY: check fmt vet purity staticcheck modules race test weakhash update pictures bench compare diagrams
.NOTPARALLEL: # two cores are soon busy, and output that is mixed is hard to read

check: fmt vet purity staticcheck modules race test weakhash ## the whole gate

fmt: ## gofmt has nothing to change
	@files=$$(gofmt -l .) || exit; \
	if [ -n "$$files" ]; then echo "not formatted, run gofmt -w:" $$files >&2; exit 1; fi

vet:
	go vet ./...

purity: ## the handlers of all algorithms and examples are pure, by their source
	go run ./cmd/caulk-vet ./algos/... ./examples/...

staticcheck:
	$(TOOL) staticcheck ./...

modules: ## go.mod and go.sum list what is used, and nothing else
	go mod tidy -diff
	go -C tools mod tidy -diff

race: ## the quick tests of what runs in several goroutines, under the race detector
	go test -race -short $(CONCURRENT)

test: ## all tests
	go test ./...

weakhash: ## the search with a hash that tells almost no two states apart finds the same
	go test -tags weakhash -short -run 'Agree|Golden|Random|Copies' ./explorer

update: ## rewrite the golden files; read the diff before committing it
	go test $(UPDATES) -update

pictures: ## the README's pictures: its diagram, and screenshots of the page, which need chromium
	go test ./internal/readme -update
	go test ./web -count=1 -run 'TestPage|TestNarrow' -screenshots

bench: ## states/s and bytes/state; make bench > new.txt
	@go test -run '^$$' -bench . -benchmem -count 6 ./...

compare: ## make compare OLD=old.txt NEW=new.txt
	$(TOOL) benchstat $(OLD) $(NEW)

diagrams: ## diagrams/*.dot and *.svg, of every mark without and with a wipe
	@mkdir -p diagrams
	go build -o diagrams/caulk ./cmd/caulk
	@for d in $(DIAGRAMS); do \
		algo=$${d%/*} wipe= name=$$(echo $$d | sed 's|/|-wipe|'); \
		case $$d in */*) wipe="--wipe $${d#*/}";; esac; \
		echo "diagrams/$$name.dot diagrams/$$name.svg"; \
		diagrams/caulk explore --algo $$algo $$wipe --keep-going --quiet \
			--dot diagrams/$$name.dot --svg diagrams/$$name.svg || [ $$? -eq 1 ] || exit; \
	done
	@rm diagrams/caulk
