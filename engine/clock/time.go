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

// String is d in the largest unit that needs no fraction: "5ms", "6m", "90s".
func (d Duration) String() string {
	for _, u := range [...]struct {
		unit Duration
		name string
	}{{Hour, "h"}, {Minute, "m"}, {Second, "s"}, {Millisecond, "ms"}} {
		if d != 0 && d%u.unit == 0 {
			return strconv.FormatInt(int64(d/u.unit), 10) + u.name
		}
	}
	if d == 0 {
		return "0ms"
	}
	return strconv.FormatInt(int64(d), 10) + "us"
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}
