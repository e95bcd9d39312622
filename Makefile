# Rebalance Lab. `make` prints the targets; `make run` and `make test` do all
# their set-up themselves (Go 1.26+, Node 20.19+).

GO      ?= go
PORT    ?= 8080
SIM     ?= 60m
FUZZ    ?= 5m
ENGINE  := web/public/engine
SCENARIOS := $(wildcard engine/script/scenarios/*.txt engine/script/scenarios/*/*.txt)
WASM    := GOOS=js GOARCH=wasm $(GO) build -trimpath -ldflags='-s -w'
GO_WASM := GOOS=js GOARCH=wasm $(GO) test -exec $(shell $(GO) env GOROOT)/lib/wasm/go_js_wasm_exec
WORKER  := server/worker
# The race detector needs a C compiler.
RACE    := $(shell [ "$$($(GO) env CGO_ENABLED)" = 1 ] && echo -race)
GOROOT_WASM := $(shell $(GO) env GOROOT)/lib/wasm

.PHONY: help run build site test test-go test-wasm test-web test-worker wasm worker deploy load digest size bench cli fuzz sim update lint clean

help:            ## this list
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 24

run: build       ## build everything and serve the page
	$(GO) run ./server/cmd/rebalance serve --listen 127.0.0.1:$(PORT) --dir web/dist

build: wasm web/node_modules ## the engine, the page, and their compressed forms
	cd web && npm run --silent build
	node web/tools/compress.mjs web/dist

site: build      ## build/site: page, element and an article, for any static host and any path
	node web/tools/site.mjs web/dist build/site engine/script/scenarios

test: lint test-go test-wasm test-web test-worker digest size ## everything that CI runs

lint:            ## vet for both targets
	$(GO) vet ./...
	GOOS=js GOARCH=wasm $(GO) vet ./engine/... ./wasm ./server/room ./server/worker/...
	$(GO) vet -tags worker ./$(WORKER)

# Fuzzing is counted here: on a busy machine a limit of time fails at times by itself.
test-go:         ## engine, scenarios, oracles, server, short fuzzing
	$(GO) test ./...
	$(GO) test ./engine/script -run '^$$' -fuzz FuzzParse -fuzztime 60000x
	$(GO) test ./engine/session -run '^$$' -fuzz FuzzCommands -fuzztime 700x
	$(GO) test ./engine/coordinator -run '^$$' -fuzz FuzzRequests -fuzztime 20000x
	$(GO) test ./server/link -run '^$$' -fuzz FuzzParse -fuzztime 60000x
	$(GO) test ./server/room -run '^$$' -fuzz FuzzReceive -fuzztime 3000x
ifeq ($(RACE),)
	@echo "no C compiler is found: the server was tested without the race detector"
else
	@echo "the server once more, with the race detector"
	$(GO) test -race ./server
endif

test-wasm:       ## the recordings of Kafka once more, in WebAssembly
	$(GO_WASM) ./engine/kafka ./engine/assignor ./engine/coordinator -run 'Oracle|Vectors|Transcripts'

test-web: site cli browsers ## the page's logic and the page in real browsers
	cd web && npm run --silent typecheck && npm run --silent test && npm run --silent e2e && npm run --silent firefox

test-worker: worker ## rooms on Cloudflare Workers: the server's suite against workerd, wrangler dev, a dry deployment
	$(GO) test -tags worker ./$(WORKER)

wasm:            ## the engine for browsers, and the table of eras for the page
	@mkdir -p $(ENGINE)
	$(WASM) -o $(ENGINE)/engine.wasm ./wasm
	node web/tools/shrink.mjs $(ENGINE)/engine.wasm || echo "the engine works, but is larger than it could be"
	@cp $(GOROOT_WASM)/wasm_exec.js $(ENGINE)/
	@$(GO) run ./server/cmd/rebalance versions --json > $(ENGINE)/eras.json

worker: build $(WORKER)/node_modules ## the Worker and its rooms, as wrangler deploys them
	cd $(WORKER) && $(GO) tool workers-assets-gen -mode=go -o build
	$(WASM) -o $(WORKER)/build/app.wasm ./$(WORKER)
	$(WASM) -o $(WORKER)/build/room.wasm ./$(WORKER)/room
	cp -r web/dist $(WORKER)/build/site
	find $(WORKER)/build/site -name '*.br' -delete
	cp $(WORKER)/_headers $(WORKER)/build/site/

deploy: worker   ## deploy to Cloudflare; `npx wrangler login` in server/worker comes first
	cd $(WORKER) && WRANGLER_SEND_METRICS=false npx wrangler deploy

load:            ## 1,000 viewers in one room for 15 s: latency, memory a connection, drops
	@$(GO) build -o build/rebalance ./server/cmd/rebalance
	@$(GO) run ./server/cmd/load -server build/rebalance

digest: build browsers $(WORKER)/node_modules ## the gallery's digests on five platforms; fails on a difference
	node web/tools/digest.mjs $(SCENARIOS)

size: build      ## compressed sizes against their budgets
	cd web && npm run --silent own
	node web/tools/compress.mjs build/own
	node web/tools/size.mjs web/dist build/own

bench:           ## benchmarks; those of the coordinator in WebAssembly too
	$(GO) test ./engine/... -run '^$$' -bench . -benchmem
	$(GO_WASM) ./engine/coordinator -run '^$$' -bench 'Heartbeat|Rebalance' -benchmem

fuzz:            ## long fuzzing of parsers, commands, requests and rooms
	$(GO) test ./engine/script -run '^$$' -fuzz FuzzParse -fuzztime $(FUZZ)
	$(GO) test ./engine/session -run '^$$' -fuzz FuzzCommands -fuzztime $(FUZZ)
	$(GO) test ./engine/coordinator -run '^$$' -fuzz FuzzRequests -fuzztime $(FUZZ)
	$(GO) test ./server/link -run '^$$' -fuzz FuzzParse -fuzztime $(FUZZ)
	$(GO) test ./server/room -run '^$$' -fuzz FuzzReceive -fuzztime $(FUZZ)
	$(GO) test ./server/room -run '^$$' -fuzz FuzzLoad -fuzztime $(FUZZ)

cli:             ## the command line as build/rebalance
	$(GO) build -o build/rebalance ./server/cmd/rebalance

sim:             ## made-up scenarios with faults, and schedules of the coordinator alone; SIM=60m says how long
	$(GO) test ./engine ./engine/coordinator -run TestSimulation -timeout 0 -sim.for $(SIM) -v

update:          ## rewrite the transcripts and logs; read the difference before you commit it
	$(GO) test ./engine/wire ./engine/coordinator ./engine/script ./server/loglines ./server/room -update

web/node_modules: web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	@touch web/node_modules

$(WORKER)/node_modules: $(WORKER)/package-lock.json
	cd $(WORKER) && npm ci --no-audit --no-fund
	@touch $(WORKER)/node_modules

.PHONY: browsers
browsers: web/node_modules
	@node web/tools/browsers.mjs

clean:           ## remove what was built
	rm -rf build web/dist web/public/engine web/node_modules $(WORKER)/build $(WORKER)/node_modules
