//go:build js && wasm

// Command worker answers what is asked about rooms over HTTP on Cloudflare
// Workers, with the same handler as the native server. A room lives in the
// Durable Object that has its code as name; WebSockets go there without passing
// here (worker.mjs).
package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/script"
	"rebalancelab/server"
	"rebalancelab/server/room"
)

func main() {
	namespace, err := cloudflare.NewDurableObjectNamespace("ROOM")
	if err != nil {
		panic(err) // wrangler.jsonc binds it
	}
	api := server.API(objects{namespace}, strings.Fields(cloudflare.Getenv("ORIGINS")))
	workers.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { // there is no net/http server around it that does
			if fault := recover(); fault != nil {
				log.Print(fault)
				http.Error(w, `{"error":"the server has a fault"}`, http.StatusInternalServerError)
			}
		}()
		api.ServeHTTP(w, r)
	}))
}

// objects are the rooms as Durable Objects.
type objects struct {
	namespace *cloudflare.DurableObjectNamespace
}

// maxTries bounds the search for a code that no room has.
const maxTries = 5

// Create implements server.Rooms.
func (o objects) Create(ctx context.Context, text string, at clock.Time) (string, string, error) {
	token := room.NewToken()
	hash := room.HashToken(token)
	for range maxTries {
		code := room.NewCode()
		body, err := json.Marshal(map[string]any{"room": code, "token": hex.EncodeToString(hash[:]), "text": text, "at": at})
		if err != nil {
			return "", "", err
		}
		var said struct {
			Error       string
			Diagnostics []script.Diagnostic
		}
		status, err := o.ask(ctx, http.MethodPost, code, body, &said)
		switch {
		case err != nil:
			return "", "", err
		case status == http.StatusCreated:
			return code, token, nil
		case status == http.StatusUnprocessableEntity:
			return "", "", &room.Refusal{Reason: said.Error, Diagnostics: said.Diagnostics}
		case status != http.StatusConflict:
			return "", "", fmt.Errorf("its object answers %d", status)
		}
	}
	return "", "", server.ErrTooMany
}

// Here implements server.Rooms.
func (o objects) Here(ctx context.Context, code string) (int, bool, error) {
	var said struct{ Here int }
	status, err := o.ask(ctx, http.MethodGet, code, nil, &said)
	return said.Here, status == http.StatusOK, err
}

// ask sends a request to a room's object.
func (o objects) ask(ctx context.Context, method, code string, body []byte, said any) (int, error) {
	stub, err := o.namespace.Get(o.namespace.IdFromName(code))
	if err != nil {
		return 0, err
	}
	var content io.Reader // a GET must not have any
	if body != nil {
		content = bytes.NewReader(body)
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://room/", content)
	if err != nil {
		return 0, err
	}
	answer, err := stub.Fetch(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	return answer.StatusCode, json.NewDecoder(answer.Body).Decode(said)
}
