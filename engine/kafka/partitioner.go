package kafka

import "unicode/utf8"

// JavaHash is String.hashCode(): it runs over UTF-16 code units, so a character
// outside the basic plane counts as its two surrogates.
func JavaHash(s string) int32 {
	var h int32
	for _, r := range s {
		if r >= 0x10000 {
			r -= 0x10000
			h = 31*h + (0xd800 + r>>10)
			h = 31*h + (0xdc00 + r&0x3ff)
			continue
		}
		h = 31*h + r
	}
	return h
}

// Abs is Kafka's Utils.abs: the absolute value, but 0 for the smallest int32.
func Abs(n int32) int32 {
	if n == -1<<31 {
		return 0
	}
	return max(n, -n)
}

// OffsetsPartition is the partition of __consumer_offsets that owns a group:
// abs(hash(group.id)) % partitions (GroupMetadataManager.partitionFor).
func OffsetsPartition(groupID string, partitions int32) int32 {
	return Abs(JavaHash(groupID)) % partitions
}

// UTF16Len is String.length(): the number of UTF-16 code units.
func UTF16Len(s string) int {
	n := utf8.RuneCountInString(s)
	for _, r := range s {
		if r >= 0x10000 {
			n++
		}
	}
	return n
}
