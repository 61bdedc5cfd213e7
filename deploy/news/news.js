// SPDX-License-Identifier: Apache-2.0

// A small news site: articles and their readers' comments in PostgreSQL, what is read often in Memcached. One thread
// answers all pages, as is usual with Node.js: while it computes, everybody waits.
//
// Pages differ in weight: / and /article ask Memcached first, /topic and /comment ask PostgreSQL, /search makes
// PostgreSQL read all articles, /similar computes here. /events tells who listens what happens, every so many
// milliseconds, for as long as they listen (server-sent events).
//
// Faults by environment, in milliseconds, 0 for none: HOLD is how long a page keeps a connection to PostgreSQL before
// it asks anything, OUTSIDE is how long a page waits for a service that is no tier; every two seconds the site computes
// for BLOCK what it could have computed elsewhere.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import memjs from 'memjs';
import pg from 'pg';

const { DEMO, NODE_PORT, POSTGRESQL_PORT, MEMCACHED_PORT } = process.env;
const [POOL, HOLD, OUTSIDE, BLOCK] = ['POOL', 'HOLD', 'OUTSIDE', 'BLOCK'].map((name) => Number(process.env[name]));
const password = readFileSync(`${DEMO}/node/password`, 'utf8');
const database = new pg.Pool({ host: '127.0.0.1', port: POSTGRESQL_PORT, user: 'news', database: 'news', password,
	max: POOL, idleTimeoutMillis: 0 });
// Without a connection a page fails; the pool opens another for the next one.
database.on('error', (error) => console.error(`postgresql: ${error.message}`));
const cache = memjs.Client.create(`127.0.0.1:${MEMCACHED_PORT}`, { timeout: 20, retries: 0 });

// rows asks PostgreSQL on a connection of the pool.
async function rows(text, ...values) {
	const connection = await database.connect();
	try {
		if (HOLD > 0) await sleep(HOLD);
		return (await connection.query({ name: text.slice(0, 60), text, values })).rows;
	} finally {
		connection.release();
	}
}

// kept asks Memcached, and make where it knows nothing.
async function kept(key, seconds, make) {
	const { value } = await cache.get(key);
	if (value) return JSON.parse(value);
	const made = await make();
	await cache.set(key, JSON.stringify(made), { expires: seconds });
	return made;
}

const escape = (text) => String(text).replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]);
const list = (articles) =>
	`<ul>${articles.map((a) => `<li><a href="/article?id=${a.id}">${escape(a.title)}</a></li>`).join('')}</ul>`;
const page = (title, ...parts) =>
	`<!doctype html><title>${escape(title)}</title><h1>${escape(title)}</h1>${parts.join('\n')}\n`;

const ARTICLES = 5000;
const number = (request, most) => Math.max(1, Math.min(most, Number(request.query.id) || 1));

const site = express();
site.disable('x-powered-by');
site.disable('etag');
site.use(async (request, response, next) => {
	if (OUTSIDE > 0) await sleep(OUTSIDE);
	next();
});

site.get('/', async (request, response) => {
	const newest = await kept('front', 1, () => rows('SELECT id, title FROM articles ORDER BY id DESC LIMIT 30'));
	response.send(page('News', list(newest)));
});

site.get('/article', async (request, response) => {
	const id = number(request, ARTICLES);
	const article = await kept(`article:${id}`, 60, async () =>
		(await rows('SELECT title, text FROM articles WHERE id = $1', id))[0]);
	const comments = await rows('SELECT text FROM comments WHERE article = $1 ORDER BY id DESC LIMIT 20', id);
	const said = comments.map((c) => `<p>${escape(c.text)}</p>`);
	response.send(page(article.title, `<p>${escape(article.text)}</p>`, ...said));
});

site.get('/topic', async (request, response) => {
	const topic = number(request, 50);
	const found = await rows('SELECT id, title FROM articles WHERE topic = $1 ORDER BY id DESC LIMIT 30', topic);
	const [{ count }] = await rows('SELECT count(*) FROM articles WHERE topic = $1', topic);
	response.send(page(`${count} articles`, list(found)));
});

site.get('/comment', async (request, response) => {
	const id = number(request, ARTICLES);
	await rows('INSERT INTO comments (article, text) VALUES ($1, $2)', id, 'What a story');
	response.send(page('Thank you'));
});

// What was written of a word: no index helps.
site.get('/search', async (request, response) => {
	const found = await rows('SELECT id, title FROM articles WHERE text LIKE $1 LIMIT 30', `%${request.query.word}%`);
	response.send(page('Found', list(found)));
});

// words are how often each word is in a text.
function words(text) {
	const count = new Map();
	for (const word of text.split(/\W+/)) count.set(word, (count.get(word) ?? 0) + 1);
	return count;
}

// alike is how many words a text shares with those counted.
function alike(counted, text) {
	let shared = 0;
	for (const [word, n] of words(text)) shared += Math.min(n, counted.get(word) ?? 0);
	return shared;
}

site.get('/similar', async (request, response) => {
	const id = number(request, ARTICLES);
	const [shown, ...others] = await rows('SELECT id, title, text FROM articles WHERE id BETWEEN $1 AND $1 + 20', id);
	const counted = words(shown.text);
	const scored = others.map((article) => ({ ...article, score: alike(counted, article.text) }));
	response.send(page('You may like', list(scored.sort((a, b) => b.score - a.score))));
});

site.get('/events', (request, response) => {
	response.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' }); // nginx passes each on at once
	const tell = () => response.write(`data: ${Date.now()}\n\n`);
	tell();
	const telling = setInterval(tell, Number(request.query.every) || 1000);
	response.on('close', () => clearInterval(telling));
});

// compute keeps the thread for so long.
function compute(milliseconds) {
	const text = 'all that readers wrote today, counted once more '.repeat(20);
	for (const end = performance.now() + milliseconds; performance.now() < end;) words(text);
}

if (BLOCK > 0) setInterval(compute, 2000, BLOCK);
const server = site.listen(NODE_PORT, '127.0.0.1', 1024);
server.keepAliveTimeout = 3600_000; // longer than a run: nginx never finds a connection closed that it wants to use
