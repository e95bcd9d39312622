module rebalancelab

go 1.26
