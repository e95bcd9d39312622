package assignor

import "rebalancelab/engine/kafka"

func appendInt16(dst []byte, v int16) []byte { return append(dst, byte(v>>8), byte(v)) }

func appendInt32(dst []byte, v int32) []byte {
	return append(dst, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
}

func appendText(dst []byte, s string) []byte {
	return append(appendInt16(dst, int16(len(s))), s...)
}

// appendBytes appends nullable bytes.
func appendBytes(dst []byte, data string, present bool) []byte {
	if !present {
		return appendInt32(dst, -1)
	}
	return append(appendInt32(dst, int32(len(data))), data...)
}

// decoder reads big-endian fields. Past the end it gives zeros and is short.
type decoder struct {
	rest  string
	short bool
}

func (d *decoder) take(n int) string {
	if n < 0 || n > len(d.rest) {
		d.rest, d.short = "", true
		return ""
	}
	taken := d.rest[:n]
	d.rest = d.rest[n:]
	return taken
}

func (d *decoder) int16() int16 {
	b := d.take(2)
	if d.short {
		return 0
	}
	return int16(b[0])<<8 | int16(b[1])
}

func (d *decoder) int32() int32 {
	b := d.take(4)
	if d.short {
		return 0
	}
	return int32(b[0])<<24 | int32(b[1])<<16 | int32(b[2])<<8 | int32(b[3])
}

// count is the length of an array whose elements have at least two bytes.
func (d *decoder) count() int {
	n := int(d.int32())
	if n > len(d.rest)/2 {
		d.rest, d.short = "", true
	}
	if d.short {
		return 0
	}
	return max(n, 0)
}

// text is a string; null is "".
func (d *decoder) text() string {
	n := int(d.int16())
	if n == -1 {
		return ""
	}
	return d.take(n)
}

// bytes are nullable bytes.
func (d *decoder) bytes() (string, bool) {
	n := int(d.int32())
	if n == -1 || d.short {
		return "", false
	}
	return d.take(n), true
}

func (d *decoder) partitions() []kafka.TopicPartition {
	var list []kafka.TopicPartition
	for range d.count() {
		topic := d.text()
		for range d.count() {
			list = append(list, kafka.TopicPartition{Topic: topic, Partition: d.int32()})
		}
	}
	return list
}
