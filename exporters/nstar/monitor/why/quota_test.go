// SPDX-License-Identifier: Apache-2.0

package why

import (
	"testing"
	"time"
)

func TestQuotaShare(t *testing.T) {
	w := newTier(50*time.Millisecond, settle, &fakeCauses{}, web)
	for range 100 {
		w.throttle(0)
	}
	if got := w.Quota(); got != 0 {
		t.Errorf("%v without throttling", got)
	}
	w.throttle(1) // for 50 ms of a second
	if got := w.Quota(); got < 0.499 || got > 0.501 {
		t.Errorf("%v, want half", got)
	}
	w.throttle(2)
	if got := w.Quota(); got != 1 {
		t.Errorf("%v, want all", got)
	}
	for range 20 {
		w.throttle(0)
	}
	if got := w.Quota(); got != 0 {
		t.Errorf("%v a second later", got)
	}
}
