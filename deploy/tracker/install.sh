#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh gets what the tracker needs. nginx, PostgreSQL and Redmine are unpacked rather than installed: installing
# them would start services or change the machine's databases. Ruby, Puma and the libraries of both are installed; none
# of them is a service.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)

"$root/tools/apt.sh" puma ruby ruby-pg ruby-actionpack-action-caching ruby-actionpack-xml-parser ruby-addressable \
	ruby-bundler ruby-coderay ruby-commonmarker ruby-csv ruby-html-pipeline ruby-i18n ruby-jquery-rails ruby-mail \
	ruby-marcel ruby-mini-magick ruby-mini-mime ruby-mocha ruby-net-ldap ruby-nokogiri ruby-rack ruby-rack-test \
	ruby-rails ruby-rails-dom-testing ruby-rails-observers ruby-rbpdf ruby-redcarpet ruby-request-store ruby-rmagick \
	ruby-roadie ruby-roadie-rails ruby-rotp ruby-rouge ruby-rqrcode ruby-sanitize ruby-task-list ruby-zip \
	libcrypt1 libgssapi-krb5-2 libicu72 libldap-2.5-0 liblz4-1 libpam0g libpcre2-8-0 libpq5 libssl3 libsystemd0 \
	libxml2 libxslt1.1 libzstd1 tzdata zlib1g
"$root/tools/debian.sh" nginx nginx-common postgresql-15 postgresql-client-15 redmine >/dev/null
