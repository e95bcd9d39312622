// Package link writes a run into the fragment of an address and reads it back:
//
//	#1=<packed script>&t=41&d=9f3c41ae
//
// 1 is the version of the form. The script is compressed as zlib with that
// version's preset dictionary and written in base64url. t is the moment in
// seconds, d the first eight digits of the digest at the end of the run; g
// names the group that is looked at, e an event by its number, x and r how time
// and rows are drawn. web/src/link does the same in the page. A version that
// was ever sent is read for ever: testdata/links.jsonl has links of all.
package link

import (
	"bytes"
	"compress/zlib"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/script"
)

// MaxLength is the longest link that is read, in bytes.
const MaxLength = 400_000

// DigestLength is how many digits of a digest a link has.
const DigestLength = 8

//go:embed dictionary-1.txt
var dictionary []byte

// Link is what a link holds.
type Link struct {
	Script string
	At     clock.Time // -1: the reader chooses
	Digest string     // the first eight hexadecimal digits of the digest at the end; "" unknown
	Group  string     // "" the first
	Event  int64      // the event that is picked, 0 none
	View   string     // how it is drawn, kept as it is: x=causal&r=members
}

// What can be wrong with a link.
var (
	ErrNone    = errors.New("this is no link of Rebalance Lab: it has no #1= in it")
	ErrDamaged = errors.New("the link is damaged or a part of it is missing; ask for it again, or copy the whole of it")
	ErrNewer   = errors.New("the link was made by a newer Rebalance Lab; this one cannot read it")
	ErrTooLong = errors.New("the link is too long")
)

// Parse reads an address, or its fragment alone.
func Parse(address string) (*Link, error) {
	if len(address) > MaxLength {
		return nil, ErrTooLong
	}
	_, fragment, found := strings.Cut(address, "#")
	if !found {
		return nil, ErrNone
	}
	fragment = tidy(fragment)
	version, rest, _ := strings.Cut(fragment, "=")
	if n, err := strconv.ParseUint(version, 10, 31); err != nil || n == 0 {
		return nil, ErrNone
	} else if n > 1 {
		return nil, ErrNewer
	}
	packed, rest, _ := strings.Cut(rest, "&")
	text, err := unpack(packed)
	if err != nil {
		return nil, err
	}
	l := &Link{Script: text, At: -1}
	return l, l.parameters(rest)
}

var (
	escaped = regexp.MustCompile(`(?i)^\d+(%3D|=[\w-]*%26)`)
	tail    = regexp.MustCompile(`[\s.,;:!?)\]}>"'»”]+$|\?[\w-]+=.*$`)
)

// tidy undoes what programs and sentences do to a link: escaped signs, the full
// stop behind it, what was hung on to find out who opened it.
func tidy(fragment string) string {
	if escaped.MatchString(fragment) {
		if plain, err := url.PathUnescape(fragment); err == nil {
			fragment = plain
		}
	}
	return tail.ReplaceAllString(strings.ReplaceAll(fragment, "&amp;", "&"), "")
}

// parameters reads what stands behind the script. What a later version adds is
// passed over.
func (l *Link) parameters(text string) error {
	values, err := url.ParseQuery(text)
	if err != nil {
		return ErrDamaged
	}
	if t := values.Get("t"); t != "" {
		at, problem := script.ParseTime(t + "s")
		if problem != "" {
			return fmt.Errorf("the link's time t=%s: %s", t, problem)
		}
		l.At = at
	}
	l.Digest, l.Group = values.Get("d"), values.Get("g")
	l.Event, _ = strconv.ParseInt(values.Get("e"), 10, 64)
	view := url.Values{}
	for _, key := range []string{"x", "r"} {
		if values.Has(key) {
			view.Set(key, values.Get(key))
		}
	}
	l.View = view.Encode()
	return nil
}

// Fragment writes the link, beginning with #.
func (l *Link) Fragment() string {
	var b strings.Builder
	b.WriteString("#1=" + pack(l.Script))
	add := func(key, value string) {
		if value != "" {
			b.WriteString("&" + key + "=" + url.QueryEscape(value))
		}
	}
	if l.At >= 0 {
		add("t", clock.Decimal(int64(l.At), 6))
	}
	add("g", l.Group)
	if l.Event > 0 {
		add("e", strconv.FormatInt(l.Event, 10))
	}
	if l.View != "" {
		b.WriteString("&" + l.View)
	}
	add("d", l.Digest)
	return b.String()
}

func pack(text string) string {
	var b bytes.Buffer
	w, err := zlib.NewWriterLevelDict(&b, zlib.BestCompression, dictionary)
	if err != nil {
		panic(err) // the level is a constant
	}
	_, _ = io.WriteString(w, text) // a buffer takes everything
	_ = w.Close()
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

func unpack(packed string) (string, error) {
	data, err := base64.RawURLEncoding.DecodeString(packed)
	if err != nil {
		return "", ErrDamaged
	}
	r, err := zlib.NewReaderDict(bytes.NewReader(data), dictionary)
	if err != nil {
		return "", ErrDamaged
	}
	text, err := io.ReadAll(io.LimitReader(r, script.MaxBytes+1))
	switch {
	case err != nil || !utf8.Valid(text):
		return "", ErrDamaged
	case len(text) > script.MaxBytes:
		return "", ErrTooLong
	}
	return string(text), nil
}
