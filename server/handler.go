package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"

	"rebalancelab/engine/clock"
	"rebalancelab/server/room"
)

// Rooms is where rooms live: in this process (Memory), or in Durable Objects.
type Rooms interface {
	// Create makes a room that shows a scenario at a time. The error is a
	// *room.Refusal if the scenario cannot be played, ErrTooMany if there are
	// too many rooms.
	Create(ctx context.Context, text string, at clock.Time) (code, token string, err error)
	// Here is the number of viewers of a room; found is false if there is none.
	Here(ctx context.Context, code string) (here int, found bool, err error)
}

// ErrTooMany says that there cannot be another room now.
var ErrTooMany = errors.New("there are too many rooms here already; try again in a minute")

// API answers what is asked about rooms over HTTP:
//
//	POST /api/rooms {"text":"…","at":0} → 201 {"room":"4K72MX","token":"…"}
//	GET  /api/rooms/{code}              → 200 {"here":27}
//
// What goes wrong is {"error":"…"}, with "diagnostics" as in the room protocol
// if it is the scenario. Browsers may ask from the server's own origin and from
// the origins listed ("https://example.org").
func API(rooms Rooms, origins []string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/rooms", func(w http.ResponseWriter, r *http.Request) { create(w, r, rooms) })
	mux.HandleFunc("GET /api/rooms/{code}", func(w http.ResponseWriter, r *http.Request) { here(w, r, rooms) })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, http.StatusNotFound, "there is nothing here; expected POST /api/rooms or GET /api/rooms/{code}")
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		if !Allowed(origin, r.Host, origins) {
			fail(w, http.StatusForbidden, "pages of "+origin+" may not use the rooms of this server")
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Vary", "Origin")
		if origin != "" {
			w.Header().Set("Access-Control-Allow-Origin", origin)
		}
		if r.Method == http.MethodOptions {
			w.Header().Set("Access-Control-Allow-Methods", "GET, POST")
			w.Header().Set("Access-Control-Allow-Headers", "Content-Type")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// Allowed reports whether pages of an origin may use the rooms of a host: its
// own pages, those of listed origins, and whatever is no page ("").
func Allowed(origin, host string, origins []string) bool {
	if origin == "" {
		return true
	}
	for _, other := range origins {
		if strings.EqualFold(origin, other) {
			return true
		}
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, host)
}

func create(w http.ResponseWriter, r *http.Request, rooms Rooms) {
	var asked struct {
		Text *string    `json:"text"`
		At   clock.Time `json:"at"`
	}
	body := json.NewDecoder(http.MaxBytesReader(w, r.Body, room.MaxFrameBytes))
	err := body.Decode(&asked)
	if err == nil && body.More() {
		err = errors.New("something stands behind the object")
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		fail(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the request has more than %d bytes", tooLarge.Limit))
		return
	case err != nil || asked.Text == nil:
		fail(w, http.StatusBadRequest, `expected {"text":"the scenario","at":microseconds} as JSON`)
		return
	}
	code, token, err := rooms.Create(r.Context(), *asked.Text, asked.At)
	var refusal *room.Refusal
	switch {
	case errors.As(err, &refusal):
		answer(w, http.StatusUnprocessableEntity, failure{refusal.Reason, room.Diagnostics(refusal.Diagnostics)})
	case errors.Is(err, ErrTooMany):
		w.Header().Set("Retry-After", "60")
		fail(w, http.StatusTooManyRequests, err.Error())
	case err != nil:
		fail(w, http.StatusBadGateway, "the room could not be made: "+err.Error())
	default:
		answer(w, http.StatusCreated, map[string]string{"room": code, "token": token})
	}
}

func here(w http.ResponseWriter, r *http.Request, rooms Rooms) {
	code, ok := room.ParseCode(path.Base(r.URL.Path))
	if !ok {
		fail(w, http.StatusNotFound, "this is no room's code: expected 6 letters and digits, as 4K7 2MX")
		return
	}
	n, found, err := rooms.Here(r.Context(), code)
	switch {
	case err != nil:
		fail(w, http.StatusBadGateway, "the room does not answer: "+err.Error())
	case !found:
		fail(w, http.StatusNotFound, room.ReasonNoRoom)
	default:
		answer(w, http.StatusOK, map[string]int{"here": n})
	}
}

type failure struct {
	Error       string            `json:"error"`
	Diagnostics []room.Diagnostic `json:"diagnostics,omitempty"`
}

func fail(w http.ResponseWriter, status int, reason string) {
	answer(w, status, failure{Error: reason})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // a client that is gone is not told
}
