// Package clock holds virtual time: its units, the queue of deadlines and the
// seeded generator that every entity draws from. Nothing here reads a real clock.
package clock

import "strconv"

// Time is a moment of virtual time in microseconds since the scenario began.
type Time int64

// Duration is a span of virtual time in microseconds.
type Duration int64

// The units of Duration.
const (
	Microsecond Duration = 1
	Millisecond          = 1000 * Microsecond
	Second               = 1000 * Millisecond
	Minute               = 60 * Second
	Hour                 = 60 * Minute
)

// Never is later than every moment of a run.
const Never Time = 1<<63 - 1

// Horizon is the last moment that a scenario may name: 30 days.
const Horizon = Time(30 * 24 * Hour)

// Millis is a moment in whole milliseconds, as brokers and clients read it.
type Millis int64

// Millis rounds down to the millisecond, as Kafka's clock does.
func (t Time) Millis() Millis { return Millis(t / Time(Millisecond)) }

// Time is the first microsecond of the millisecond m.
func (m Millis) Time() Time { return Time(m) * Time(Millisecond) }

// Add is the moment d after t.
func (t Time) Add(d Duration) Time { return t + Time(d) }

// Sub is the span from u to t.
func (t Time) Sub(u Time) Duration { return Duration(t - u) }

// AppendSeconds appends t as seconds with three decimals ("63.000"); a time
// between milliseconds gets six.
func (t Time) AppendSeconds(b []byte) []byte {
	if t < 0 {
		b, t = append(b, '-'), -t
	}
	b = strconv.AppendInt(b, int64(t)/1_000_000, 10)
	rest, digits := int64(t)%1_000_000, 6
	if rest%1000 == 0 {
		rest, digits = rest/1000, 3
	}
	b = append(b, '.')
	for unit := pow10(digits - 1); unit > 0; unit /= 10 {
		b = append(b, byte('0'+rest/unit%10))
	}
	return b
}

// String is t in seconds, "63.000".
func (t Time) String() string { return string(t.AppendSeconds(nil)) }

// String is d as the scenario language writes it: whole hours, whole minutes
// from two on, else seconds with at most one decimal, else milliseconds.
func (d Duration) String() string {
	switch {
	case d == 0:
		return "0s"
	case d%Hour == 0:
		return strconv.FormatInt(int64(d/Hour), 10) + "h"
	case d%Minute == 0 && d >= 2*Minute:
		return strconv.FormatInt(int64(d/Minute), 10) + "m"
	case d%(100*Millisecond) == 0 && d >= Second:
		return Decimal(int64(d/(100*Millisecond)), 1) + "s"
	}
	return Decimal(int64(d), 3) + "ms"
}

// Decimal writes n/10^digits without trailing zeros.
func Decimal(n int64, digits int) string {
	for ; digits > 0 && n%10 == 0; digits-- {
		n /= 10
	}
	text := strconv.FormatInt(n, 10)
	if digits == 0 {
		return text
	}
	for len(text) <= digits {
		text = "0" + text
	}
	return text[:len(text)-digits] + "." + text[len(text)-digits:]
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}
