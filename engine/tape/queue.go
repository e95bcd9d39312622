package tape

// Queue is a list that mostly loses its first element and gains a last one. It
// uses its memory again. The zero Queue is empty and ready.
type Queue[T any] struct {
	items []T
	first int
}

// All are the elements in order, for reading and changing in place.
func (q *Queue[T]) All() []T { return q.items[q.first:] }

// Push adds an element at the end.
func (q *Queue[T]) Push(v T) {
	if q.first > 0 && len(q.items) == cap(q.items) {
		n := copy(q.items, q.items[q.first:])
		clear(q.items[n:])
		q.items, q.first = q.items[:n], 0
	}
	q.items = append(q.items, v)
}

// Remove takes out the element i of All.
func (q *Queue[T]) Remove(i int) {
	var none T
	if i > 0 {
		q.items = append(q.items[:q.first+i], q.items[q.first+i+1:]...)
		return
	}
	q.items[q.first] = none
	if q.first++; q.first == len(q.items) {
		q.items, q.first = q.items[:0], 0
	}
}

// Clone is an independent copy.
func (q *Queue[T]) Clone() Queue[T] {
	return Queue[T]{items: append([]T(nil), q.All()...)}
}
