// SPDX-License-Identifier: Apache-2.0

import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/** A page that waits 20 ms for the database, begins a session, and makes some garbage. */
@WebServlet("/page")
public class TomcatPage extends HttpServlet {
  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    request.getSession();
    try {
      DataSource pool = (DataSource) new InitialContext().lookup("java:comp/env/jdbc/check");
      try (Connection connection = pool.getConnection();
          Statement statement = connection.createStatement()) {
        statement.executeQuery("select sleep(0.02)");
      }
    } catch (NamingException | SQLException e) {
      throw new ServletException(e);
    }
    response.setContentType("text/plain");
    response.getWriter().println("x".repeat(20000));
  }
}
