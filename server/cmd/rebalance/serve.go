package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"rebalancelab/server"
)

func serveCommand() *cobra.Command {
	var address, directory string
	var origins []string
	command := &cobra.Command{
		Use:   "serve",
		Short: "Serve the page, and rooms that a class watches together",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			page, err := server.Page(directory)
			if err != nil {
				return err
			}
			listener, err := net.Listen("tcp", address)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Rebalance Lab: http://%s/\n", listener.Addr())
			return serve(cmd.Context(), listener, page, origins)
		},
	}
	command.Flags().StringVar(&address, "listen", "127.0.0.1:8080", "address to listen on; port 0 takes a free one")
	command.Flags().StringVar(&directory, "dir", "web/dist", "the built page")
	command.Flags().StringSliceVar(&origins, "origin", nil, "another origin (`https://example.org`) whose pages may use the rooms")
	_ = command.MarkFlagDirname("dir")
	return command
}

// serve runs until an interrupt, then tells the rooms and lets requests under
// way end.
func serve(parent context.Context, listener net.Listener, page http.Handler, origins []string) error {
	ctx, stop := signal.NotifyContext(parent, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	rooms := server.NewMemory()
	s := &http.Server{Handler: server.Handler(page, rooms, origins), ConnContext: server.BoundWrites,
		ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	rooms.Stop(grace)
	err := s.Shutdown(grace)
	if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}
