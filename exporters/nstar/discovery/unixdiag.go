// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// Sizes and numbers of linux/unix_diag.h.
const (
	unixRequestBytes = 24 // struct unix_diag_req
	unixMessageBytes = 16 // struct unix_diag_msg
	unixShowName     = 1  // UDIAG_SHOW_NAME
	unixShowPeer     = 4  // UDIAG_SHOW_PEER
	unixName         = 0  // UNIX_DIAG_NAME
	unixPeer         = 2  // UNIX_DIAG_PEER
)

// unixConnection is an established connection over a Unix socket.
type unixConnection struct {
	client uint64 // inode of the socket at the end that connected
	path   string // that it connected to; an abstract name begins with @
}

// diagUnix appends the connections over Unix sockets of the caller's network namespace that were accepted. The table in
// procfs does not tell who is connected to whom.
func diagUnix(to []unixConnection) ([]unixConnection, error) {
	conn, err := openDiag()
	if err != nil {
		return to, err
	}
	defer conn.Close()
	request := make([]byte, unixRequestBytes)
	request[0] = unix.AF_UNIX
	binary.NativeEndian.PutUint32(request[4:], 1<<stateEstablished)
	binary.NativeEndian.PutUint32(request[12:], unixShowName|unixShowPeer)
	_, err = conn.Send(netlink.Message{
		Header: netlink.Header{Type: diagByFamily, Flags: netlink.Request | netlink.Dump}, Data: request,
	})
	if err != nil {
		return to, fmt.Errorf("socket diagnosis: %w", err)
	}
	for m, err := range conn.ReceiveIter() {
		if err != nil {
			return to, fmt.Errorf("socket diagnosis: %w", err)
		}
		if m.Header.Type != diagByFamily {
			continue
		}
		if c, ok := parseUnix(m.Data); ok {
			to = append(to, c)
		}
	}
	return to, nil
}

// parseUnix reads a struct unix_diag_msg with its attributes. Only the end that was accepted has the name of the socket
// that listens; its peer is the one that connected.
func parseUnix(b []byte) (c unixConnection, ok bool) {
	if len(b) < unixMessageBytes || b[1] != unix.SOCK_STREAM && b[1] != unix.SOCK_SEQPACKET {
		return c, false
	}
	attributes, err := netlink.NewAttributeDecoder(b[unixMessageBytes:])
	if err != nil {
		return c, false
	}
	for attributes.Next() {
		switch attributes.Type() {
		case unixName:
			c.path = string(attributes.Bytes())
		case unixPeer:
			c.client = uint64(attributes.Uint32())
		}
	}
	if strings.HasPrefix(c.path, "\x00") {
		c.path = "@" + c.path[1:]
	}
	c.path = Visible(strings.TrimRight(c.path, "\x00"))
	return c, attributes.Err() == nil && c.client != 0 && c.path != "" && !isOfTheSystem(c.path)
}

// isOfTheSystem reports whether a socket is one that programs are connected to wherever they run: logs, the message bus,
// name services, what starts containers.
func isOfTheSystem(path string) bool {
	for _, prefix := range []string{
		"/run/systemd/", "/run/dbus/", "/var/run/dbus/", "@/tmp/dbus-", "@/org/", "/run/user/", "/run/nscd/", "/var/run/nscd/",
		"/var/lib/sss/", "/run/udev/", "/run/avahi-daemon/", "/run/snapd", "/run/containerd/", "/run/docker", "/var/run/docker",
		"/tmp/.X11-unix/", "@/tmp/.X11-unix/",
	} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}
