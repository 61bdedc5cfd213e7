// SPDX-License-Identifier: Apache-2.0
package bboard;

import java.sql.Connection;
import java.sql.SQLException;

/** Stories of one fortnight with a word in the title; no index helps. */
public final class Search extends Page {
    @Override
    Html show(Connection c, int id, String word) throws SQLException {
        Html html = new Html("Search");
        html.table("ViewStory", Query.rows(c,
            "SELECT id, title, posted FROM stories WHERE id BETWEEN ? AND ? AND title LIKE CONCAT('%', ?, '%')"
            + " ORDER BY posted DESC LIMIT 20", id, id + 1000, word));
        html.heading("In comments");
        html.table("ViewComment", Query.rows(c,
            "SELECT id, subject FROM comments WHERE id BETWEEN ? AND ? AND subject LIKE CONCAT('%', ?, '%') LIMIT 20",
            id * 10, id * 10 + 500, word));
        return html;
    }
}
