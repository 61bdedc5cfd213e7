-- SPDX-License-Identifier: Apache-2.0
--
-- The bulletin board's tables, in the spirit of RUBBoS. The missing indexes on
-- comments.rating and on the texts are what Search and the top lists scan:
-- the demo needs queries of about a millisecond of processor time.
CREATE DATABASE IF NOT EXISTS bboard CHARACTER SET utf8mb4;
USE bboard;

CREATE TABLE authors (
  id       INT PRIMARY KEY,
  nickname VARCHAR(32) NOT NULL,
  joined   DATE NOT NULL,
  rating   INT NOT NULL
) ENGINE=InnoDB;

CREATE TABLE stories (
  id       INT PRIMARY KEY,
  author   INT NOT NULL,
  category INT NOT NULL,
  posted   DATETIME NOT NULL,
  title    VARCHAR(120) NOT NULL,
  body     TEXT NOT NULL,
  KEY posted (posted),
  KEY author (author)
) ENGINE=InnoDB;

CREATE TABLE comments (
  id       INT PRIMARY KEY,
  story    INT NOT NULL,
  parent   INT NOT NULL,
  author   INT NOT NULL,
  posted   DATETIME NOT NULL,
  rating   INT NOT NULL,
  subject  VARCHAR(120) NOT NULL,
  body     TEXT NOT NULL,
  KEY story (story),
  KEY parent (parent),
  KEY author (author)
) ENGINE=InnoDB;
