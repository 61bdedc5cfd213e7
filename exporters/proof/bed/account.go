// SPDX-License-Identifier: Apache-2.0

package bed

import (
	"os"
	"os/user"
	"path/filepath"
	"strconv"
)

// Account is the name of the user that servers run as.
type Account string

// Directories makes directories that belong to the account; an empty name is that of the parent itself.
func (a Account) Directories(parent string, names ...string) error {
	u, err := user.Lookup(string(a))
	if err != nil {
		return err
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	for _, name := range names {
		path := filepath.Join(parent, name)
		if err := os.MkdirAll(path, 0o755); err != nil {
			return err
		}
		if err := os.Chown(path, uid, gid); err != nil {
			return err
		}
	}
	return nil
}

// As is a command line up to the program that is to run as the account and with no other group.
func (a Account) As() []string {
	group := string(a)
	if u, err := user.Lookup(string(a)); err == nil {
		group = u.Gid
	}
	return []string{"setpriv", "--reuid", string(a), "--regid", group, "--clear-groups"}
}
