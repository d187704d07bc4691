-- Revision 0.1.0

CREATE TABLE address_keys (
  name VARCHAR(32) NOT NULL,
  secret VARCHAR(64) NOT NULL,
  made FLOAT NOT NULL,
  PRIMARY KEY (name)
);

CREATE TABLE clock (
  id INTEGER NOT NULL,
  now FLOAT NOT NULL,
  wall FLOAT NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE days (
  date VARCHAR(10) NOT NULL,
  seed VARCHAR(64) NOT NULL,
  game BYTEA NOT NULL,
  made FLOAT NOT NULL,
  computers BYTEA,
  PRIMARY KEY (date)
);

CREATE TABLE log (
  table_id VARCHAR(64) NOT NULL,
  seq INTEGER NOT NULL,
  command TEXT,
  payload BYTEA NOT NULL,
  PRIMARY KEY (table_id, seq)
);

CREATE UNIQUE INDEX log_commands ON log (table_id, command) WHERE command IS NOT NULL;

CREATE TABLE players (
  id VARCHAR(64) NOT NULL,
  name VARCHAR(64) NOT NULL,
  account TEXT,
  password_hash TEXT,
  created FLOAT NOT NULL,
  look TEXT,
  PRIMARY KEY (id),
  UNIQUE (account)
);

CREATE UNIQUE INDEX players_by_look ON players (look);

CREATE TABLE presence (
  table_id VARCHAR(64) NOT NULL,
  player_id VARCHAR(64) NOT NULL,
  process VARCHAR(32) NOT NULL,
  PRIMARY KEY (table_id, player_id, process)
);

CREATE INDEX presence_by_process ON presence (process);

CREATE TABLE processes (
  name VARCHAR(32) NOT NULL,
  beat INTEGER NOT NULL,
  room BYTEA,
  PRIMARY KEY (name)
);

CREATE TABLE puzzle_ratings (
  puzzle VARCHAR(16) NOT NULL,
  value FLOAT NOT NULL,
  deviation FLOAT NOT NULL,
  volatility FLOAT NOT NULL,
  PRIMARY KEY (puzzle)
);

CREATE TABLE tables (
  id VARCHAR(64) NOT NULL,
  public BOOLEAN NOT NULL,
  status VARCHAR(16) NOT NULL,
  created FLOAT NOT NULL,
  updated FLOAT NOT NULL,
  PRIMARY KEY (id)
);

CREATE INDEX tables_in_lobby ON tables (updated) WHERE public AND status <> 'over';

CREATE TABLE day_tries (
  date VARCHAR(10) NOT NULL,
  player_id VARCHAR(64) NOT NULL,
  table_id VARCHAR(64) NOT NULL,
  began FLOAT NOT NULL,
  points INTEGER,
  ended FLOAT,
  counted BOOLEAN NOT NULL,
  counts BOOLEAN DEFAULT true NOT NULL,
  place VARCHAR(32) DEFAULT '' NOT NULL,
  site VARCHAR(32) DEFAULT '' NOT NULL,
  PRIMARY KEY (date, player_id),
  FOREIGN KEY(player_id) REFERENCES players (id) ON DELETE CASCADE
);

CREATE INDEX day_tries_by_player ON day_tries (player_id);

CREATE TABLE deletions (
  player_id VARCHAR(64) NOT NULL,
  asked FLOAT NOT NULL,
  PRIMARY KEY (player_id),
  FOREIGN KEY(player_id) REFERENCES players (id) ON DELETE CASCADE
);

CREATE TABLE devices (
  token_hash VARCHAR(64) NOT NULL,
  player_id VARCHAR(64) NOT NULL,
  used FLOAT NOT NULL,
  PRIMARY KEY (token_hash),
  FOREIGN KEY(player_id) REFERENCES players (id) ON DELETE CASCADE
);

CREATE INDEX devices_by_player ON devices (player_id);

CREATE TABLE games (
  player_id VARCHAR(64) NOT NULL,
  id VARCHAR(64) NOT NULL,
  ended FLOAT NOT NULL,
  told BYTEA NOT NULL,
  record BYTEA,
  PRIMARY KEY (player_id, id),
  FOREIGN KEY(player_id) REFERENCES players (id) ON DELETE CASCADE
);

CREATE INDEX games_by_id ON games (id);

CREATE TABLE progress (
  player_id VARCHAR(64) NOT NULL,
  thing VARCHAR(64) NOT NULL,
  done FLOAT NOT NULL,
  PRIMARY KEY (player_id, thing),
  FOREIGN KEY(player_id) REFERENCES players (id) ON DELETE CASCADE
);

CREATE TABLE puzzle_answers (
  player_id VARCHAR(64) NOT NULL,
  puzzle VARCHAR(16) NOT NULL,
  number INTEGER NOT NULL,
  choice INTEGER NOT NULL,
  "right" BOOLEAN NOT NULL,
  answered FLOAT NOT NULL,
  value FLOAT NOT NULL,
  deviation FLOAT NOT NULL,
  volatility FLOAT NOT NULL,
  rated BOOLEAN DEFAULT true NOT NULL,
  PRIMARY KEY (player_id, puzzle),
  FOREIGN KEY(player_id) REFERENCES players (id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX puzzle_answers_in_order ON puzzle_answers (player_id, number);

CREATE TABLE puzzle_sights (
  puzzle VARCHAR(16) NOT NULL,
  place VARCHAR(32) NOT NULL,
  player_id VARCHAR(64) NOT NULL,
  seen FLOAT NOT NULL,
  moved BOOLEAN NOT NULL,
  PRIMARY KEY (puzzle, place, player_id),
  FOREIGN KEY(player_id) REFERENCES players (id) ON DELETE CASCADE
);

CREATE INDEX puzzle_sights_by_place ON puzzle_sights (place);

CREATE INDEX puzzle_sights_by_player ON puzzle_sights (player_id);

CREATE TABLE sessions (
  token_hash VARCHAR(64) NOT NULL,
  player_id VARCHAR(64) NOT NULL,
  created FLOAT NOT NULL,
  expires FLOAT NOT NULL,
  used FLOAT DEFAULT '0' NOT NULL,
  device VARCHAR(64) DEFAULT '' NOT NULL,
  PRIMARY KEY (token_hash),
  FOREIGN KEY(player_id) REFERENCES players (id) ON DELETE CASCADE
);

CREATE INDEX sessions_by_expiry ON sessions (expires);

CREATE INDEX sessions_by_player ON sessions (player_id);

CREATE TABLE sittings (
  player_id VARCHAR(64) NOT NULL,
  table_id VARCHAR(64) NOT NULL,
  PRIMARY KEY (player_id, table_id),
  FOREIGN KEY(player_id) REFERENCES players (id) ON DELETE CASCADE
);

CREATE TABLE pushes (
  session VARCHAR(64) NOT NULL,
  endpoint TEXT NOT NULL,
  p256dh VARCHAR(90) NOT NULL,
  auth VARCHAR(30) NOT NULL,
  language VARCHAR(8) NOT NULL,
  made FLOAT NOT NULL,
  told VARCHAR(100) DEFAULT '' NOT NULL,
  PRIMARY KEY (session),
  FOREIGN KEY(session) REFERENCES sessions (token_hash) ON DELETE CASCADE
);

CREATE INDEX pushes_by_endpoint ON pushes (endpoint);
