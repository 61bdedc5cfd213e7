// SPDX-License-Identifier: Apache-2.0

package orders;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * A service elsewhere that every page asks, which has room for everybody. Its client may be an old one, with a
 * synchronized method per connection: nobody waits for that lock, but in Java 21 a virtual thread that sleeps with a lock
 * keeps its carrier, of which there is one for each processor.
 */
@Component
class Outside {
	private final long milliseconds;
	private final boolean pinned;

	Outside(@Value("${outside}") long milliseconds, @Value("${pinned}") boolean pinned) {
		this.milliseconds = milliseconds;
		this.pinned = pinned;
	}

	void asked() throws InterruptedException {
		if (milliseconds == 0) {
			return;
		}
		if (!pinned) {
			Thread.sleep(milliseconds);
			return;
		}
		synchronized (new Object()) {
			Thread.sleep(milliseconds);
		}
	}
}
