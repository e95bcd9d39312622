package kafka

// latest has the newest version of each API that a release speaks.
var latest = [...]struct {
	since    Version
	versions [APICount]int16
}{
	{Version{0, 9, 0, 0}, [APICount]int16{FindCoordinator: 0, JoinGroup: 0, SyncGroup: 0, Heartbeat: 0, LeaveGroup: 0,
		OffsetCommit: 2, OffsetFetch: 1, TxnOffsetCommit: -1, DescribeGroups: 0, ListGroups: 0, DeleteGroups: -1, OffsetDelete: -1}},
	{Version{3, 9, 0, 0}, [APICount]int16{FindCoordinator: 6, JoinGroup: 9, SyncGroup: 5, Heartbeat: 4, LeaveGroup: 5,
		OffsetCommit: 9, OffsetFetch: 9, TxnOffsetCommit: 4, DescribeGroups: 5, ListGroups: 5, DeleteGroups: 2, OffsetDelete: 0}},
}

// LatestVersion is the newest version of an API that release v speaks, -1 if it
// does not know the API.
func LatestVersion(v Version, api API) int16 {
	version := int16(-1)
	for _, l := range latest {
		if !v.Older(l.since) {
			version = l.versions[api]
		}
	}
	return version
}
