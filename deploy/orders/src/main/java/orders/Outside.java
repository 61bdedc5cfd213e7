// SPDX-License-Identifier: Apache-2.0

package orders;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** A service elsewhere that every page asks, which has room for everybody. */
@Component
class Outside {
	private final long milliseconds;

	Outside(@Value("${outside}") long milliseconds) {
		this.milliseconds = milliseconds;
	}

	void asked() throws InterruptedException {
		if (milliseconds > 0) {
			Thread.sleep(milliseconds);
		}
	}
}
