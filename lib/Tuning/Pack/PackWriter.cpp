//===- PackWriter.cpp - Compiled candidates are put into a file -----------===//

#include "PackFile.h"
#include "rooftile/Tuning/Pack/Pack.h"
#include "rooftile/Tuning/Trial/Job.h"
#include "llvm/Support/FileSystem.h"

#include <optional>

using namespace rooftile::tuning;
using llvm::StringRef;

/// Nobody else sees the file before it is whole: it needs no journal, and is one transaction.
static const char *const kBegin = "PRAGMA journal_mode = OFF; BEGIN";

static const char *const kTables = R"(
  CREATE TABLE head (chip TEXT NOT NULL, architecture TEXT NOT NULL, compiler TEXT NOT NULL,
                     target TEXT NOT NULL, planVersion INTEGER NOT NULL);
  CREATE TABLE operation (number INTEGER PRIMARY KEY, line TEXT NOT NULL UNIQUE);
  CREATE TABLE candidate (
    number INTEGER PRIMARY KEY,
    operation INTEGER NOT NULL REFERENCES operation,
    plan TEXT NOT NULL,
    predicted REAL NOT NULL,
    rank INTEGER NOT NULL,
    kernel TEXT NOT NULL, -- Empty where there is none,
    reason TEXT NOT NULL, -- and why.
    UNIQUE (operation, plan)
  );
  CREATE TABLE resource (candidate INTEGER NOT NULL REFERENCES candidate, name TEXT NOT NULL,
                         milliseconds REAL NOT NULL);
  CREATE INDEX ofCandidate ON resource (candidate);
  CREATE TABLE kernel (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL);
)";

/// Statements refer to the database, so it moves with neither.
struct PackWriter::State {
  State(std::string file, llvm::sys::fs::TempFile temporary)
      : file(std::move(file)), temporary(std::move(temporary)) {}

  std::string file;
  llvm::sys::fs::TempFile temporary;
  std::optional<Database> database;
  std::optional<Statement> operation, candidate, resource, kernel;
  int64_t operations = 0, candidates = 0;
  bool isFinished = false;

  llvm::Error open(const PackHead &head);
  llvm::Error prepare(std::optional<Statement> &statement, const char *text);
};

PackWriter::PackWriter(std::unique_ptr<State> state) : state(std::move(state)) {}
PackWriter::PackWriter(PackWriter &&) = default;

PackWriter::~PackWriter() {
  if (state && !state->isFinished)
    llvm::consumeError(state->temporary.discard());
}

llvm::Error PackWriter::State::prepare(std::optional<Statement> &statement, const char *text) {
  llvm::Expected<Statement> prepared = Statement::prepare(*database, text);
  if (!prepared)
    return prepared.takeError();
  statement.emplace(std::move(*prepared));
  return llvm::Error::success();
}

llvm::Error PackWriter::State::open(const PackHead &head) {
  llvm::Expected<Database> opened = Database::open(temporary.TmpName, kPack, /*writes=*/true);
  if (!opened)
    return opened.takeError();
  database.emplace(std::move(*opened));
  if (llvm::Error failed = database->run(kBegin))
    return failed;
  if (llvm::Error failed = database->create(kTables))
    return failed;
  std::optional<Statement> stated;
  if (llvm::Error failed = prepare(stated, "INSERT INTO head VALUES (?, ?, ?, ?, ?)"))
    return failed;
  const Environment &environment = head.environment;
  stated->bind(1, environment.chip), stated->bind(2, head.architecture);
  stated->bind(3, environment.compiler), stated->bind(4, environment.target);
  stated->bind(5, environment.planVersion);
  if (llvm::Error failed = stated->run())
    return failed;
  if (llvm::Error failed = prepare(operation, "INSERT INTO operation VALUES (?, ?)"))
    return failed;
  if (llvm::Error failed = prepare(candidate, "INSERT INTO candidate VALUES (?, ?, ?, ?, ?, ?, ?)"))
    return failed;
  if (llvm::Error failed = prepare(resource, "INSERT INTO resource VALUES (?, ?, ?)"))
    return failed;
  return prepare(kernel, "INSERT OR IGNORE INTO kernel VALUES (?, ?)");
}

llvm::Expected<PackWriter> PackWriter::create(StringRef file, const PackHead &head) {
  llvm::Expected<llvm::sys::fs::TempFile> temporary =
      llvm::sys::fs::TempFile::create(file + ".%%%%%%%%.partial");
  if (!temporary)
    return llvm::createStringError("cannot write " + file + ": " +
                                   llvm::toString(temporary.takeError()));
  PackWriter writer(std::make_unique<State>(file.str(), std::move(*temporary)));
  if (llvm::Error failed = writer.state->open(head))
    return failed;
  return writer;
}

llvm::Error PackWriter::addOperation(const bench::Shape &shape) {
  state->operation->bind(1, ++state->operations);
  state->operation->bind(2, lineOf(shape));
  return state->operation->run();
}

llvm::Error PackWriter::add(const Candidate &candidate, const PlanKernel &kernel) {
  std::string hash = kernel.hash();
  Statement &row = *state->candidate;
  row.bind(1, ++state->candidates), row.bind(2, state->operations);
  row.bind(3, candidate.plan), row.bind(4, candidate.predicted);
  row.bind(5, candidate.rank.value_or(state->candidates));
  row.bind(6, hash), row.bind(7, kernel.reason);
  if (llvm::Error failed = row.run())
    return failed;
  for (const auto &[name, milliseconds] : candidate.resources) {
    Statement &resource = *state->resource;
    resource.bind(1, state->candidates), resource.bind(2, name), resource.bind(3, milliseconds);
    if (llvm::Error failed = resource.run())
      return failed;
  }
  if (hash.empty())
    return llvm::Error::success();
  state->kernel->bind(1, hash), state->kernel->bindBytes(2, kernel.bytes);
  return state->kernel->run();
}

llvm::Error PackWriter::finish() {
  if (llvm::Error failed = state->database->run("COMMIT"))
    return failed;
  for (auto *statement : {&state->operation, &state->candidate, &state->resource, &state->kernel})
    statement->reset();
  state->database.reset();
  if (llvm::Error failed = state->temporary.keep(state->file))
    return llvm::createStringError("cannot write " + state->file + ": " +
                                   llvm::toString(std::move(failed)));
  state->isFinished = true;
  return llvm::Error::success();
}
