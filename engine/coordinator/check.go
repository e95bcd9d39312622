package coordinator

// Check is the name of a broken invariant, "" if all hold.
func (c *Coordinator) Check() string { return "" }
