// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"encoding/binary"
	"strings"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// Sizes and numbers of linux/unix_diag.h.
const (
	unixRequestBytes = 24 // struct unix_diag_req
	unixMessageBytes = 16 // struct unix_diag_msg
	unixShowName     = 1  // UDIAG_SHOW_NAME
	unixShowFile     = 2  // UDIAG_SHOW_VFS
	unixShowPeer     = 4  // UDIAG_SHOW_PEER
	unixName         = 0  // UNIX_DIAG_NAME
	unixFile         = 1  // UNIX_DIAG_VFS
	unixPeer         = 2  // UNIX_DIAG_PEER
	unixFileBytes    = 8  // struct unix_diag_vfs
)

// unixSocket is a Unix socket that listens, or the end that connected to one.
type unixSocket struct {
	inode     uint64
	listening bool
	path      string // where it listens, or where it is connected to; an abstract name begins with @
	file      File   // of the path; zero for an abstract name
}

// diagUnix appends the Unix sockets of the caller's network namespace that listen, and those that connected and were
// accepted. The table in procfs does not show which socket is connected to which.
func diagUnix(to []unixSocket) ([]unixSocket, error) {
	conn, err := openDiag()
	if err != nil {
		return to, err
	}
	defer conn.Close()
	request := make([]byte, unixRequestBytes)
	request[0] = unix.AF_UNIX
	binary.NativeEndian.PutUint32(request[4:], 1<<stateEstablished|1<<stateListen)
	binary.NativeEndian.PutUint32(request[12:], unixShowName|unixShowFile|unixShowPeer)
	err = dumpDiag(conn, request, func(body []byte) {
		if k, ok := parseUnix(body); ok {
			to = append(to, k)
		}
	})
	return to, err
}

// parseUnix reads a struct unix_diag_msg with its attributes. In a connection, only the accepted end has the name of
// the listening socket; its peer is the end that connected.
func parseUnix(b []byte) (k unixSocket, ok bool) {
	if len(b) < unixMessageBytes || b[1] != unix.SOCK_STREAM && b[1] != unix.SOCK_SEQPACKET {
		return k, false
	}
	attributes, err := netlink.NewAttributeDecoder(b[unixMessageBytes:])
	if err != nil {
		return k, false
	}
	for attributes.Next() {
		switch attributes.Type() {
		case unixName:
			k.path = string(attributes.Bytes())
		case unixFile:
			if b := attributes.Bytes(); len(b) == unixFileBytes {
				k.file = File{Inode: binary.NativeEndian.Uint32(b), Device: binary.NativeEndian.Uint32(b[4:])}
			}
		case unixPeer:
			k.inode = uint64(attributes.Uint32())
		}
	}
	if k.listening = b[2] == stateListen; k.listening {
		k.inode = uint64(binary.NativeEndian.Uint32(b[4:]))
	}
	if strings.HasPrefix(k.path, "\x00") {
		k.path = "@" + k.path[1:]
	}
	k.path = Visible(strings.TrimRight(k.path, "\x00"))
	return k, attributes.Err() == nil && k.inode != 0 && k.path != "" && !isOfTheSystem(k.path)
}

// isOfTheSystem reports whether a socket is one to which programs are connected wherever they run: logs, the
// message bus, name services, programs that start containers, and programs that attach to a Java virtual machine.
func isOfTheSystem(path string) bool {
	for _, prefix := range []string{
		"/run/systemd/", "/run/dbus/", "/var/run/dbus/", "@/tmp/dbus-", "@/org/", "/run/user/", "/run/nscd/",
		"/var/run/nscd/",
		"/var/lib/sss/", "/run/udev/", "/run/avahi-daemon/", "/run/snapd", "/run/containerd/", "/run/docker",
		"/var/run/docker",
		"/tmp/.X11-unix/", "@/tmp/.X11-unix/", "/tmp/.java_pid",
	} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}
