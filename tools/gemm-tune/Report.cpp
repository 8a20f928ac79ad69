//===- Report.cpp - Commands that compare model and measurements ----------===//

#include "rooftile/Tuning/Report/Report.h"
#include "Commands.h"
#include "rooftile/Target/Chips.h"
#include "rooftile/Tuning/Report/Samples.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

using namespace rooftile;
using namespace rooftile::tuning;
namespace cl = llvm::cl;

static cl::SubCommand reportCommand("report", "Compare predicted with measured times of a store");
static cl::opt<std::string> reported(cl::Positional, cl::desc("<store>"), cl::Required,
                                     cl::sub(reportCommand));
static cl::opt<std::string> reportChip("chip",
                                       cl::desc("Of this chip (default: that of the store)"),
                                       cl::value_desc("name"), cl::sub(reportCommand));
static cl::opt<std::string> reportTo("o", cl::desc("The report (default: stdout)"),
                                     cl::value_desc("file.md"), cl::init("-"),
                                     cl::sub(reportCommand));
static cl::opt<unsigned> reportWorst("worst", cl::desc("Operations of its table (default 10)"),
                                     cl::init(10), cl::sub(reportCommand));
static cl::opt<std::string> reportPictures("pictures",
                                           cl::desc("Draw predicted.svg and regret.svg there (in "
                                                    "Python)"),
                                           cl::value_desc("folder"), cl::sub(reportCommand));

static cl::SubCommand refitCommand("refit", "Fit the calibration of a chip to a store (in Python, "
                                            "with SciPy)");
static cl::opt<std::string> refitted(cl::Positional, cl::desc("<store>"), cl::Required,
                                     cl::sub(refitCommand));
static cl::list<std::string> refitOptions(cl::Positional,
                                          cl::desc("[-- more samples and options of fit]"),
                                          cl::sub(refitCommand));
static cl::opt<std::string> refitTo("o",
                                    cl::desc("The target whose calibration it becomes, or a "
                                             "file of coefficients"),
                                    cl::value_desc("file.target"), cl::sub(refitCommand));
static cl::opt<std::string> refitChip("chip",
                                      cl::desc("The chip, or its file .target (default: that of "
                                               "-o, else that of the store)"),
                                      cl::value_desc("name"), cl::sub(refitCommand));

/// A file that lives as long as this, with what `write` writes.
static llvm::Error writeTemporary(llvm::StringRef suffix, llvm::FileRemover &remover,
                                  std::string &path,
                                  llvm::function_ref<void(llvm::raw_ostream &)> write) {
  llvm::SmallString<128> file;
  int descriptor = -1;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("gemm-tune", suffix, descriptor, file))
    return llvm::createStringError("cannot make a temporary file: " + code.message());
  remover.setFile(file);
  path = file.str().str();
  llvm::raw_fd_ostream out(descriptor, /*shouldClose=*/true);
  write(out);
  out.close();
  std::error_code code = out.error();
  out.clear_error();
  return code ? llvm::createStringError("cannot write " + path + ": " + code.message())
              : llvm::Error::success();
}

static int drawPictures(const Report &report) {
  std::string data;
  llvm::FileRemover remover;
  if (llvm::Error failed = writeTemporary("json", remover, data,
                                          [&](llvm::raw_ostream &out) { writeData(report, out); }))
    return error(llvm::toString(std::move(failed)));
  return runScript("draw_report.py", "python3, or what PYTHON names", {data, reportPictures});
}

static int writeReport() {
  llvm::Expected<ChipStore> opened = openChipStore(reported, reportChip);
  if (!opened)
    return error(llvm::toString(opened.takeError()));
  llvm::Expected<Report> report = makeReport(opened->store, opened->chip);
  if (!report)
    return error(llvm::toString(report.takeError()));
  // Whole or not at all.
  llvm::Error failed = llvm::writeToOutput(reportTo, [&](llvm::raw_ostream &out) {
    writeTables(*report, reportWorst, out);
    return llvm::Error::success();
  });
  if (failed)
    return error(llvm::toString(std::move(failed)));
  return reportPictures.empty() ? 0 : drawPictures(*report);
}

std::string nameOfChip(llvm::StringRef chip) {
  mlir::MLIRContext context;
  context.loadDialect<blas::BlasDialect>();
  blas::TargetAttr target = target::lookupChip(
      &context, chip, [&] { return mlir::emitError(mlir::UnknownLoc::get(&context)); });
  return target ? target->chip : "";
}

static int refit(const CommandLine &program) {
  llvm::Expected<Store> store = Store::open(refitted, Access::Read);
  if (!store)
    return error(llvm::toString(store.takeError()));
  std::string model = refitChip;
  if (model.empty() && llvm::StringRef(refitTo).ends_with(".target"))
    model = refitTo;
  std::string name = model.empty() ? "" : nameOfChip(model);
  if (!model.empty() && name.empty())
    return 1;
  llvm::Expected<std::string> chip = chipOf(*store, refitted, name);
  if (!chip)
    return error(llvm::toString(chip.takeError()));
  llvm::Expected<bench::Results> samples = samplesOf(*store, *chip);
  if (!samples)
    return error(refitted + ": " + llvm::toString(samples.takeError()));
  std::string csv;
  llvm::FileRemover remover;
  if (llvm::Error failed = writeTemporary("csv", remover, csv, [&](llvm::raw_ostream &out) {
        bench::writeHeader(out, samples->header);
        for (const bench::Row &row : samples->rows)
          bench::writeRow(out, row);
      }))
    return error(llvm::toString(std::move(failed)));
  // More files of samples may be among the options, which have to be beside the first.
  std::vector<std::string> arguments = {(model.empty() ? *chip : model) + "=" + csv};
  llvm::append_range(arguments, refitOptions);
  llvm::append_values(arguments, "--tool", program.front());
  if (!refitTo.empty())
    llvm::append_values(arguments, "--write", refitTo);
  return runScript("fit_calibration.py", kFitNeeds, arguments);
}

std::optional<int> runReportCommand(const CommandLine &program) {
  if (reportCommand)
    return writeReport();
  if (refitCommand)
    return refit(program);
  return std::nullopt;
}
