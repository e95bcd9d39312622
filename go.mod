module rebalancelab

go 1.26

require (
	github.com/spf13/cobra v1.10.2
	github.com/syumai/workers v0.32.0
	nhooyr.io/websocket v1.8.17
)

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
)

tool github.com/syumai/workers/cmd/workers-assets-gen
