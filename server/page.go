// Package server serves the page over HTTP: the files that Vite built, with the
// brotli form of each beside it.
package server

import (
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path"
	"strings"
)

// policy lets the page run its engine and nothing from elsewhere.
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors *"

// Page serves the built page in a directory. A file with a ".br" sibling is
// sent precompressed to browsers that accept it.
func Page(directory string) (http.Handler, error) {
	files := os.DirFS(directory)
	if _, err := fs.Stat(files, "index.html"); err != nil {
		return nil, fmt.Errorf("%s holds no built page (%w): run `make build` first", directory, err)
	}
	return &page{files: files, plain: http.FileServerFS(files)}, nil
}

type page struct {
	files fs.FS
	plain http.Handler
}

func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	h.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, "assets/") {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	h.Set("Vary", "Accept-Encoding")
	if acceptsBrotli(r) && p.serveBrotli(w, r, name) {
		return
	}
	p.plain.ServeHTTP(w, r)
}

// serveBrotli sends the precompressed form; false if there is none.
func (p *page) serveBrotli(w http.ResponseWriter, r *http.Request, name string) bool {
	kind := mime.TypeByExtension(path.Ext(name))
	if strings.HasSuffix(name, ".wasm") {
		kind = "application/wasm"
	}
	body, err := fs.ReadFile(p.files, name+".br")
	if err != nil || kind == "" {
		return false
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Encoding", "br")
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(body)
	}
	return true
}

func acceptsBrotli(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.TrimSpace(name) == "br" && strings.TrimSpace(weight) != "q=0" {
			return true
		}
	}
	return false
}
