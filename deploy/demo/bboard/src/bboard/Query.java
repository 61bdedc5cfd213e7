// SPDX-License-Identifier: Apache-2.0
package bboard;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Runs one query and copies its rows, so that nothing keeps the connection afterwards. */
final class Query {
    private Query() {}

    /** Rows as strings in the order of the select list; NULL becomes an empty string. */
    static List<String[]> rows(Connection c, String sql, Object... args) throws SQLException {
        try (PreparedStatement statement = c.prepareStatement(sql)) {
            for (int i = 0; i < args.length; i++) {
                statement.setObject(i + 1, args[i]);
            }
            try (ResultSet result = statement.executeQuery()) {
                int columns = result.getMetaData().getColumnCount();
                List<String[]> rows = new ArrayList<>();
                while (result.next()) {
                    String[] row = new String[columns];
                    for (int i = 0; i < columns; i++) {
                        String value = result.getString(i + 1);
                        row[i] = value == null ? "" : value;
                    }
                    rows.add(row);
                }
                return rows;
            }
        }
    }
}
