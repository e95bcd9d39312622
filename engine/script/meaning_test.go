package script

import "fmt"

// meaning is everything that a file says, as text, without the numbers of lines,
// which the lines that the printer adds change.
func meaning(f *File) string {
	s := f.Scenario()
	for i := range s.Consumers {
		s.Consumers[i].Line = 0
	}
	for i := range s.Commands {
		s.Commands[i].Line = 0
		for j := range s.Commands[i].Consumers {
			s.Commands[i].Consumers[j].Line = 0
		}
	}
	text := fmt.Sprintf("%+v\n", *s)
	for _, e := range f.Expects() {
		e.Line = 0
		text += fmt.Sprintf("%+v\n", e)
	}
	for _, n := range f.Notes() {
		n.Line = 0
		text += fmt.Sprintf("%+v\n", n)
	}
	return text
}
