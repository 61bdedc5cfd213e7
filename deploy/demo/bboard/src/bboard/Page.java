// SPDX-License-Identifier: Apache-2.0
package bboard;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/** What all pages share: a pooled connection for the queries, then the rendering without it. */
abstract class Page extends HttpServlet {
    private transient DataSource pool;

    @Override
    public void init() throws ServletException {
        try {
            pool = (DataSource) new InitialContext().lookup("java:comp/env/jdbc/bboard");
        } catch (NamingException e) {
            throw new ServletException("the data source jdbc/bboard is not configured", e);
        }
        History.get();
        Faults.collect();
    }

    /** Runs the page's queries; whatever it returns is rendered after the connection went back. */
    abstract Html show(Connection c, int id, String word) throws SQLException;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int id = number(request.getParameter("id"));
        String word = request.getParameter("word");
        Html html;
        try (Connection c = pool.getConnection()) {
            html = show(c, id, word == null ? "" : word);
            Faults.hold();
        } catch (SQLException e) {
            getServletContext().log(getServletName() + ": " + e.getMessage());
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE, "the database did not answer");
            return;
        }
        Faults.outside();
        Faults.compute();
        History.get().add(getServletName(), id);
        List<String> lines = html.lines();
        response.setContentType("text/html;charset=UTF-8");
        PrintWriter out = response.getWriter();
        for (String line : lines) {
            out.println(line);
        }
    }

    /** A missing or malformed number is the first id. */
    private static int number(String text) {
        try {
            return text == null ? 1 : Math.max(1, Integer.parseInt(text));
        } catch (NumberFormatException e) {
            return 1;
        }
    }

    /** Stories per category of the last weeks: the sidebar of most pages, and a small scan. */
    static void sidebar(Connection c, Html html) throws SQLException {
        html.heading("Categories");
        html.table("StoriesOfTheDay", Query.rows(c, "SELECT category, COUNT(*) FROM stories WHERE posted > '2024-06-08' GROUP BY category"));
    }
}
