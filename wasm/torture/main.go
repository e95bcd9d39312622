//go:build js && wasm

// Command torture does what depends on the tables and on the code that
// web/tools/shrink.mjs writes anew: panics at every depth, growing stacks,
// goroutines, and garbage collection in the middle of all that. The test of
// package wasm compares what it answers before and after.
package main

import (
	"runtime"
	"runtime/debug"
	"strconv"
	"time"
)

var (
	output []byte
	ticks  int32
)

// main has JavaScript's event loop wake it again and again.
func main() {
	for {
		time.Sleep(time.Millisecond)
		ticks += 1 + int32(sum(chain(3))-sum(chain(3)))
	}
}

//go:wasmexport ticked
func ticked() int32 { return ticks }

//go:wasmexport out
func out() int32 { return int32(len(output)) }

//go:wasmexport at
func at(i int32) int32 { return int32(output[i]) }

//go:wasmexport play
func play(seed int32) {
	output = output[:0]
	for i, c := range cases {
		output = strconv.AppendInt(output, int64(i), 10)
		output = append(output, ": "...)
		output = append(output, guarded(c, int(seed))...)
		output = append(output, '\n')
	}
}

var cases = []func(int) string{
	nilRead, nilDeep, nilInLoop, bounds, slices, divide, shift, nilMap, assertion, custom, twice, again,
	results, loopDefers, growth, largeFrames, floats, jumps, goroutines, selects, maps, generics, garbage, closures,
}

func guarded(f func(int) string, n int) (result string) {
	defer func() {
		if r := recover(); r != nil {
			result = describe(r)
		}
	}()
	return f(n)
}

func describe(r any) string {
	switch r := r.(type) {
	case error:
		return "error " + r.Error()
	case string:
		return "text " + r
	case int:
		return "number " + strconv.Itoa(r)
	}
	return "something"
}

type node struct {
	next  *node
	value int
	name  string
	pad   [4]*node
}

//go:noinline
func chain(n int) *node {
	var first *node
	for i := range n {
		first = &node{next: first, value: i, name: "n" + strconv.Itoa(i)}
	}
	return first
}

//go:noinline
func sum(n *node) (total int) {
	for ; n != nil; n = n.next {
		total += n.value + len(n.name)
	}
	return total
}

//go:noinline
func second(n *node) int { return n.next.value }

func nilRead(n int) string { return strconv.Itoa(second(&node{value: n})) }

// nilDeep panics below frames that hold pointers, and collects while they stand.
func nilDeep(n int) string {
	return descend(200+n%7, chain(3))
}

//go:noinline
func descend(depth int, list *node) (s string) {
	mine := chain(depth % 5)
	local := [3]*node{mine, list, chain(1)}
	if depth%50 == 0 {
		defer func() {
			garbageOf(100)
			runtime.GC()
			if r := recover(); r != nil {
				s = describe(r) + " " + strconv.Itoa(sum(local[0])+sum(local[2])+sum(mine))
				panic(s)
			}
		}()
	}
	if depth == 0 {
		var none *node
		return none.next.name
	}
	s = descend(depth-1, local[2])
	return s + strconv.Itoa(sum(mine))
}

func nilInLoop(n int) string {
	total := 0
	for i := range 50 {
		var list *node
		if i%3 != 0 {
			list = chain(i + n%3)
		}
		total += safely(list)
	}
	return strconv.Itoa(total)
}

//go:noinline
func safely(list *node) (v int) {
	defer func() {
		if recover() != nil {
			v = -1
		}
	}()
	return list.value + list.next.value
}

func bounds(n int) string {
	a := []int{1, 2, 3}
	return strconv.Itoa(a[3+n])
}

func slices(n int) string {
	s := "0123456789"
	return s[5+n : 3]
}

func divide(n int) string { return strconv.Itoa(10 / (n - n)) }

func shift(n int) string { return strconv.Itoa(1 << (n - n - 1)) }

func nilMap(n int) string {
	var m map[string]int
	m["x"+strconv.Itoa(n)] = 1
	return "no"
}

func assertion(n int) string {
	var v any = n
	return v.(string)
}

type problem struct{ n int }

func (p *problem) Error() string { return "problem " + strconv.Itoa(p.n) }

func custom(n int) string { panic(&problem{n}) }

func twice(n int) string {
	defer func() { panic("second " + strconv.Itoa(n)) }()
	panic("first")
}

func again(n int) (s string) {
	defer func() {
		s += " then " + describe(recover())
	}()
	defer func() {
		s = describe(recover())
		runtime.GC()
		var p *node
		p.value = n
	}()
	panic(n)
}

func results(n int) string {
	a, b, c := named(n, nil)
	d, e, f := named(n, chain(3))
	return strconv.Itoa(a) + b + strconv.Itoa(sum(c)) + strconv.Itoa(d) + e + strconv.Itoa(sum(f))
}

//go:noinline
func named(n int, list *node) (a int, b string, c *node) {
	held := chain(n%4 + 2)
	defer func() {
		if recover() != nil {
			garbageOf(50)
			a, b, c = a+1, b+"recovered", held
		}
	}()
	a, b = n, "before "
	a += list.next.value
	return a * 2, b + "after", list
}

func loopDefers(n int) (s string) {
	for i := range 5 {
		list := chain(i)
		defer func() {
			if r := recover(); r != nil {
				s += describe(r)
			}
			s += strconv.Itoa(sum(list))
			if i == 2 {
				panic(i + n)
			}
		}()
	}
	runtime.GC()
	return "end"
}

func growth(n int) string { return strconv.Itoa(deep(20000+n, &node{value: 1})) }

//go:noinline
func deep(n int, up *node) int {
	here := node{next: up, value: n & 3}
	if n == 0 {
		runtime.GC()
		return total(&here, 1000)
	}
	result := deep(n-1, &here)
	return result + here.value
}

//go:noinline
func total(n *node, limit int) (t int) {
	for ; n != nil && limit > 0; n, limit = n.next, limit-1 {
		t += n.value
	}
	return t
}

func largeFrames(n int) string {
	var frame [300]*node
	for i := range frame {
		frame[i] = chain(i % 3)
	}
	copied := frame
	runtime.GC()
	t := 0
	for i, f := range copied {
		if f == frame[i] {
			t += sum(f)
		}
	}
	return strconv.Itoa(t + n)
}

//go:noinline
func half(x float64) float64 { return x / 2 }

//go:noinline
func single(x float32) float32 { return x + 0.5 }

func floats(n int) string {
	x, y := float64(n)+1.5, float32(n)
	for range 10 {
		x, y = half(x)+float64(single(y)), single(float32(half(float64(y))))
	}
	return strconv.Itoa(int(x*1e6)) + " " + strconv.Itoa(int(y*1e6))
}

func jumps(n int) string {
	t := 0
outer:
	for i := 0; i < 20; i++ {
		for j := 0; ; j++ {
			switch {
			case j == i:
				continue outer
			case i*j > 200+n:
				break outer
			case j%3 == 1:
				t += i
			default:
				t += sum(chain(j % 3))
			}
			if t > 100000 {
				goto end
			}
		}
	}
	for v := range counted(n % 10) {
		if v == 7 {
			break
		}
		t += v
	}
end:
	return strconv.Itoa(t)
}

func counted(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n + 20 {
			if !yield(i) {
				return
			}
		}
	}
}

func goroutines(n int) string {
	numbers, sums := make(chan *node), make(chan int, 3)
	for range 4 {
		go func() {
			t := 0
			for list := range numbers {
				t += sum(list) + deep(50, list) - deep(50, list)
			}
			sums <- t
		}()
	}
	for i := range 200 {
		numbers <- chain(i % 9)
		if i%64 == 0 {
			runtime.GC()
		}
	}
	close(numbers)
	t := n
	for range 4 {
		t += <-sums
	}
	return strconv.Itoa(t)
}

func selects(n int) string {
	a, b, done := make(chan int), make(chan string), make(chan bool)
	go func() {
		for i := range 50 {
			if i%2 == 0 {
				a <- i
			} else {
				b <- strconv.Itoa(i)
			}
			runtime.Gosched()
		}
		close(done)
	}()
	t := n
	for {
		select {
		case v := <-a:
			t += v
		case s := <-b:
			t += len(s)
		case <-done:
			return strconv.Itoa(t)
		}
	}
}

type key struct {
	name string
	id   int32
}

func maps(n int) string {
	byName, byID, byKey := map[string]*node{}, map[int32]int{}, map[key][]string{}
	for i := range 3000 {
		name := strconv.Itoa(i % 700)
		byName[name] = &node{value: i, next: byName[name]}
		byID[int32(i*7919%4001)] += i
		k := key{name, int32(i % 5)}
		byKey[k] = append(byKey[k], name)
		if i%3 == 0 {
			delete(byID, int32(i))
		}
	}
	runtime.GC()
	t := n
	for i := range 700 {
		t += sum(byName[strconv.Itoa(i)]) + byID[int32(i)] + len(byKey[key{strconv.Itoa(i), 2}])
	}
	return strconv.Itoa(t + len(byID) + len(byKey))
}

type pair[A, B any] struct {
	a A
	b B
}

//go:noinline
func collect[A any, B comparable](as []A, bs []B, of B) (out []pair[A, B]) {
	for i, b := range bs {
		if b != of {
			out = append(out, pair[A, B]{as[i%len(as)], b})
		}
	}
	return out
}

func generics(n int) string {
	p := collect([]string{"a", "bc"}, []int{1, 2, 3, n}, 2)
	q := collect([]*node{chain(2), chain(3)}, []key{{"x", 1}, {"y", 2}, {"x", 1}}, key{"y", 2})
	return p[1].a + strconv.Itoa(len(p)) + strconv.Itoa(sum(q[1].a)) + q[0].b.name
}

//go:noinline
func garbageOf(n int) (kept [][]byte) {
	for i := range n {
		b := make([]byte, i*13%2000+1)
		b[0] = byte(i)
		if i%16 == 0 {
			kept = append(kept, b)
		}
	}
	return kept
}

func garbage(n int) string {
	var lists []*node
	t := 0
	for i := range 300 {
		lists = append(lists, chain(20))
		for _, b := range garbageOf(200) {
			t += int(b[0])
		}
		if i%10 == 9 {
			lists = lists[5:]
		}
	}
	for _, l := range lists {
		t += sum(l)
	}
	debug.FreeOSMemory()
	return strconv.Itoa(t + n)
}

func closures(n int) string {
	var fs []func() *node
	for i := range 30 {
		list := chain(i)
		fs = append(fs, func() *node {
			list = &node{next: list, value: n}
			return list
		})
	}
	runtime.GC()
	t := 0
	for range 3 {
		for _, f := range fs {
			t += sum(f())
		}
	}
	return strconv.Itoa(t)
}
