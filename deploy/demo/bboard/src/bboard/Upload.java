// SPDX-License-Identifier: Apache-2.0
package bboard;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;

/** Takes a body of any length and says how long it was. It asks the database for nothing. */
public final class Upload extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        long length = request.getInputStream().transferTo(OutputStream.nullOutputStream());
        response.setContentType("text/plain;charset=UTF-8");
        response.getWriter().println(length);
    }
}
