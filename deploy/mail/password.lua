-- SPDX-License-Identifier: Apache-2.0
--
-- Whose password it is: everybody has the same, which may be asked for outside for some time. start.sh replaces @NAME@.
function auth_passdb_lookup(request)
	if @OUTSIDE@ > 0 then
		os.execute("sleep @OUTSIDE@")
	end
	return dovecot.auth.PASSDB_RESULT_OK, "password=@PASSWORD@"
end
