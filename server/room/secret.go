package room

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"strings"
)

// alphabet has no letters and digits that look or sound alike.
const alphabet = "23456789ACDEFHJKMNPQRTVWXY"

// codeLength is the length of a join code.
const codeLength = 6

// NewCode makes a join code: who has it may watch.
func NewCode() string {
	code := make([]byte, 0, codeLength)
	var b [1]byte
	for len(code) < codeLength {
		rand.Read(b[:])
		if i := int(b[0] & 31); i < len(alphabet) {
			code = append(code, alphabet[i])
		}
	}
	return string(code)
}

// ParseCode reads a join code as people type it: in any case, with blanks or
// hyphens between. It reports whether it can be one.
func ParseCode(text string) (string, bool) {
	code := strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(text))
	if len(code) != codeLength {
		return "", false
	}
	for i := range len(code) {
		if strings.IndexByte(alphabet, code[i]) < 0 {
			return "", false
		}
	}
	return code, true
}

// NewToken makes a host's token, 128 bits: who has it may play and act.
func NewToken() string {
	var b [16]byte
	rand.Read(b[:])
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// TokenHash is what a room knows of its token.
type TokenHash [sha256.Size]byte

// HashToken is the hash of a token.
func HashToken(token string) TokenHash { return sha256.Sum256([]byte(token)) }

// fits reports whether the hash is that of the token.
func (h TokenHash) fits(token string) bool {
	other := HashToken(token)
	return subtle.ConstantTimeCompare(h[:], other[:]) == 1
}
