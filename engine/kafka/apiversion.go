package kafka

// speaks says which versions of an API a release line speaks.
type speaks struct {
	since          Version
	oldest, newest int16
}

// apiVersions has the rows of each API, oldest first; before the first one the
// API is unknown.
var apiVersions = [APICount][]speaks{
	FindCoordinator: {{Version{0, 9, 0, 0}, 0, 0}, {Version{0, 11, 0, 0}, 0, 1}, {Version{2, 0, 0, 0}, 0, 2}, {Version{2, 4, 0, 0}, 0, 3},
		{Version{3, 0, 0, 0}, 0, 4}, {Version{3, 8, 0, 0}, 0, 5}, {Version{3, 9, 0, 0}, 0, 6}},
	JoinGroup: {{Version{0, 9, 0, 0}, 0, 0}, {Version{0, 10, 1, 0}, 0, 1}, {Version{0, 11, 0, 0}, 0, 2}, {Version{2, 0, 0, 0}, 0, 3},
		{Version{2, 2, 0, 0}, 0, 4}, {Version{2, 3, 0, 0}, 0, 5}, {Version{2, 4, 0, 0}, 0, 6}, {Version{2, 5, 0, 0}, 0, 7}, {Version{3, 2, 0, 0}, 0, 9},
		{Version{4, 0, 0, 0}, 2, 9}},
	SyncGroup: {{Version{0, 9, 0, 0}, 0, 0}, {Version{0, 11, 0, 0}, 0, 1}, {Version{2, 0, 0, 0}, 0, 2}, {Version{2, 3, 0, 0}, 0, 3},
		{Version{2, 4, 0, 0}, 0, 4}, {Version{2, 5, 0, 0}, 0, 5}},
	Heartbeat: {{Version{0, 9, 0, 0}, 0, 0}, {Version{0, 11, 0, 0}, 0, 1}, {Version{2, 0, 0, 0}, 0, 2}, {Version{2, 3, 0, 0}, 0, 3},
		{Version{2, 4, 0, 0}, 0, 4}},
	LeaveGroup: {{Version{0, 9, 0, 0}, 0, 0}, {Version{0, 11, 0, 0}, 0, 1}, {Version{2, 0, 0, 0}, 0, 2}, {Version{2, 4, 0, 0}, 0, 4},
		{Version{3, 2, 0, 0}, 0, 5}},
	OffsetCommit: {{Version{0, 9, 0, 0}, 0, 2}, {Version{0, 11, 0, 0}, 0, 3}, {Version{2, 0, 0, 0}, 0, 4}, {Version{2, 1, 0, 0}, 0, 6},
		{Version{2, 3, 0, 0}, 0, 7}, {Version{2, 4, 0, 0}, 0, 8}, {Version{3, 7, 0, 0}, 0, 9}, {Version{4, 0, 0, 0}, 2, 9}},
	OffsetFetch: {{Version{0, 9, 0, 0}, 0, 1}, {Version{0, 10, 2, 0}, 0, 2}, {Version{0, 11, 0, 0}, 0, 3}, {Version{2, 0, 0, 0}, 0, 4},
		{Version{2, 1, 0, 0}, 0, 5}, {Version{2, 4, 0, 0}, 0, 6}, {Version{2, 5, 0, 0}, 0, 7}, {Version{3, 0, 0, 0}, 0, 8}, {Version{3, 7, 0, 0}, 0, 9},
		{Version{4, 0, 0, 0}, 1, 9}},
	TxnOffsetCommit: {{Version{0, 11, 0, 0}, 0, 0}, {Version{2, 0, 0, 0}, 0, 1}, {Version{2, 1, 0, 0}, 0, 2}, {Version{2, 5, 0, 0}, 0, 3},
		{Version{3, 8, 0, 0}, 0, 4}, {Version{4, 0, 0, 0}, 0, 5}},
	DescribeGroups: {{Version{0, 9, 0, 0}, 0, 0}, {Version{0, 11, 0, 0}, 0, 1}, {Version{2, 0, 0, 0}, 0, 2}, {Version{2, 3, 0, 0}, 0, 3},
		{Version{2, 4, 0, 0}, 0, 5}, {Version{4, 0, 0, 0}, 0, 6}},
	ListGroups: {{Version{0, 9, 0, 0}, 0, 0}, {Version{0, 11, 0, 0}, 0, 1}, {Version{2, 0, 0, 0}, 0, 2}, {Version{2, 4, 0, 0}, 0, 3},
		{Version{2, 6, 0, 0}, 0, 4}, {Version{3, 8, 0, 0}, 0, 5}},
	DeleteGroups: {{Version{1, 1, 0, 0}, 0, 0}, {Version{2, 0, 0, 0}, 0, 1}, {Version{2, 4, 0, 0}, 0, 2}},
	OffsetDelete: {{Version{2, 4, 0, 0}, 0, 0}},
}

// APIVersions is the range of versions of an API that release v speaks, -1 and
// -1 if it does not know the API.
func APIVersions(v Version, api API) (oldest, newest int16) {
	oldest, newest = -1, -1
	for _, s := range apiVersions[api] {
		if !v.Older(s.since) {
			oldest, newest = s.oldest, s.newest
		}
	}
	return oldest, newest
}

// LatestVersion is the newest version of an API that release v speaks, -1 if it
// does not know the API.
func LatestVersion(v Version, api API) int16 {
	_, newest := APIVersions(v, api)
	return newest
}
