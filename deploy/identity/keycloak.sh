# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
#
# What preparing Keycloak and starting it share.

# distribution prints the directory that install.sh made.
distribution() { echo "$ROOT/.cache/identity"/keycloak-*.[0-9]; }

# built prints what is settled when Keycloak is built for its database. Users are read from the database each time: with
# the cache, a test with the users of a few minutes would never ask it.
built() {
	echo "--db=postgres --health-enabled=false --metrics-enabled=false --spi-user-cache-default-enabled=false" \
		"--spi-realm-cache-default-enabled=$REALM_CACHE"
}

# database says where the database is.
database() {
	KC_DB_URL="jdbc:postgresql://127.0.0.1:$POSTGRESQL_PORT/keycloak"
	KC_DB_USERNAME=keycloak
	KC_DB_PASSWORD=$(cat "$DEMO/keycloak/password")
	export KC_DB_URL KC_DB_USERNAME KC_DB_PASSWORD
}
