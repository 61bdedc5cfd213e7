// SPDX-License-Identifier: Apache-2.0

package orders;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Connections that were taken from the pool and never given back, as code does that forgets to close them. */
@Component
class Leak {
	private final List<Connection> kept = new ArrayList<>();

	Leak(DataSource pool, @Value("${leak}") int connections) throws SQLException {
		for (int i = 0; i < connections; i++) {
			kept.add(pool.getConnection());
		}
	}
}
