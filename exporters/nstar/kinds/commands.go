// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// redisWaits are the commands that wait on purpose for other clients' actions: they are in no queue (redis.h).
var redisWaits = []string{
	"BLPOP", "BRPOP", "BRPOPLPUSH", "BLMOVE", "BLMPOP", "BZPOPMIN", "BZPOPMAX", "BZMPOP", "WAIT", "WAITAOF",
}

// redisStreams begin a stream, behind which a connection is left out.
var redisStreams = []string{"SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "MONITOR", "SYNC", "PSYNC"}

// verb is a kind given by one word, in upper or lower case.
func verb(root uint32, name string) Pattern {
	return Pattern{words: []word{{text: strings.ToUpper(name)}}, root: root}
}

func redis(command string) (Pattern, error) {
	name := strings.ToUpper(command)
	switch {
	case slices.Contains(redisWaits, name):
		return Pattern{}, errWaits
	case slices.Contains(redisStreams, name):
		return Pattern{}, errors.New("begins a stream, which is not measured")
	}
	return named(rootRedis, command)
}

func memcached(command string) (Pattern, error) { return named(rootMemcached, command) }

// named reads the name of a command as far as the kernel side does: up to the first character that is no letter.
func named(root uint32, command string) (Pattern, error) {
	if !isName(command, "") || len(command) > maxVerb {
		return Pattern{}, fmt.Errorf("names no command of up to %d letters; a name ends before the first character "+
			"that is not a letter, so EVAL_RO is EVAL", maxVerb)
	}
	return verb(root, command), nil
}
