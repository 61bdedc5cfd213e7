// SPDX-License-Identifier: Apache-2.0
package bboard;

import java.sql.Connection;
import java.sql.SQLException;

/** One comment with its replies and the best of the same days. */
public final class ViewComment extends Page {
    @Override
    Html show(Connection c, int id, String word) throws SQLException {
        Html html = new Html("Comment");
        html.table("ViewComment", Query.rows(c,
            "SELECT c.id, c.subject, c.body, c.rating, s.title, a.nickname FROM comments c JOIN stories s ON s.id = c.story"
            + " JOIN authors a ON a.id = c.author WHERE c.id = ?", id));
        html.heading("Replies");
        html.table("ViewComment", Query.rows(c, "SELECT id, subject, body FROM comments WHERE parent = ?", id));
        html.heading("Best of these days");
        html.table("ViewComment", Query.rows(c,
            "SELECT c.id, c.subject, c.rating, a.nickname FROM comments c JOIN authors a ON a.id = c.author"
            + " WHERE c.story BETWEEN ? AND ? AND c.rating > 3 ORDER BY c.rating DESC, c.id LIMIT 10", id / 10, id / 10 + 50));
        sidebar(c, html);
        return html;
    }
}
