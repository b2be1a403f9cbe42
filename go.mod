module github.com/caulk-go/caulk

go 1.26
