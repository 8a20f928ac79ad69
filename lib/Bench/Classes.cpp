//===- Classes.cpp - The shapes that are timed by default -----------------===//
//
// Row-major throughout. The tall and skinny classes follow Ernst et al.: block
// vectors of 1 to 64 columns and gigabytes of rows, as A^T B (tsmttsm: K is the
// long dimension) and as A times a small matrix (tsmm: M is).
//
//===----------------------------------------------------------------------===//

#include "rooftile/Bench/Classes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace rooftile;
using namespace rooftile::bench;
using llvm::StringRef;

/// Bytes of one operand of a tall and skinny product.
static constexpr int64_t kTallBytes = int64_t(1) << 32;
static constexpr int64_t kWidths[] = {1,  2,  4,  7,  8,  12, 16, 20, 24,
                                      31, 32, 36, 40, 48, 53, 56, 64};
/// Bytes of both operands of a batch of solves.
static constexpr int64_t kSolvesBytes = int64_t(1) << 31;
/// Elements of all matrices of a batch.
static constexpr int64_t kBatchElements = int64_t(1) << 24;

/// All types, in the order in which `--type=all` times them.
static constexpr Element kTimedElements[] = {Element::F32,  Element::F64, Element::C64,
                                             Element::C128, Element::F16, Element::BF16};

static std::string line(const char *op, int64_t m, int64_t n, int64_t k, int64_t batch = 1) {
  return (llvm::Twine(op) + " " + llvm::Twine(m) + "x" + llvm::Twine(n) + "x" + llvm::Twine(k) +
          " batch=" + llvm::Twine(batch))
      .str();
}

static std::vector<std::string> square(Element) {
  std::vector<std::string> lines;
  for (int64_t size : {128, 256, 512, 1024, 2048, 4096, 8192})
    lines.push_back(line("nn", size, size, size));
  return lines;
}

static std::vector<std::string> odd(Element) {
  std::vector<std::string> lines;
  for (int64_t size : {127, 1000, 1023, 2047, 4095})
    lines.push_back(line("nn", size, size, size));
  return lines;
}

static std::vector<std::string> trans(Element) {
  std::vector<std::string> lines;
  for (const char *op : {"nt", "tn", "tt"})
    lines.push_back(line(op, 4096, 4096, 4096));
  return lines;
}

static std::vector<std::string> smallK(Element) {
  std::vector<std::string> lines;
  for (int64_t k : {4, 16, 64, 256})
    lines.push_back(line("nn", 8192, 8192, k));
  return lines;
}

static std::vector<std::string> skinny(Element) {
  std::vector<std::string> lines;
  for (int64_t width : {8, 32, 100}) {
    lines.push_back(line("nn", width, 8192, 8192));
    lines.push_back(line("nt", width, 8192, 8192));
    lines.push_back(line("nn", 8192, width, 8192));
  }
  return lines;
}

static std::vector<std::string> longK(Element) {
  return {line("tn", 256, 256, 16384), line("tn", 256, 256, 131072)};
}

static std::vector<std::string> batched(Element) {
  std::vector<std::string> lines;
  for (int64_t size : {8, 16, 32, 64, 128})
    lines.push_back(line("nn", size, size, size, kBatchElements / (size * size)));
  return lines;
}

static std::vector<std::string> tsmttsm(Element element) {
  std::vector<std::string> lines;
  for (int64_t width : kWidths)
    lines.push_back(line("tn", width, width, kTallBytes / width / bytesOf(element)));
  return lines;
}

static std::vector<std::string> tsmm(Element element) {
  std::vector<std::string> lines;
  for (int64_t width : kWidths)
    lines.push_back(line("nn", kTallBytes / width / bytesOf(element), width, width));
  return lines;
}

/// Square ones, few and many right-hand sides, every form, odd sizes.
static std::vector<std::string> triangular(const char *routine) {
  std::vector<std::string> lines;
  auto add = [&](const char *form, int64_t m, int64_t n) {
    std::string op = std::string(routine) + "-" + form;
    lines.push_back(line(op.c_str(), m, n, form[0] == 'l' ? m : n));
  };
  for (int64_t size : {256, 512, 1000, 1024, 2048, 4095, 4096, 8192})
    add("llnn", size, size);
  for (int64_t columns : {16, 128, 1024})
    add("llnn", 4096, columns);
  for (const char *form : {"lunn", "lltn", "rlnn", "rutn"})
    add(form, 4096, 4096);
  add("llnn", 64, 100000);
  add("rlnn", 100000, 64);
  return lines;
}

static std::vector<std::string> trmm(Element) { return triangular("trmm"); }
static std::vector<std::string> trsm(Element) { return triangular("trsm"); }

/// Square ones, a few columns, and Gram matrices of block vectors, of which cases of tsmttsm are
/// the products of two matrices.
static std::vector<std::string> rankUpdates(const char *routine, Element element) {
  std::vector<std::string> lines;
  std::string n = std::string(routine) + "-ln",
              t = std::string(routine) + (routine[0] == 's' ? "-ut" : "-uc");
  for (int64_t size : {1000, 1024, 2048, 4095, 4096, 8192})
    lines.push_back(line(n.c_str(), size, size, size));
  lines.push_back(line(t.c_str(), 4096, 4096, 4096));
  for (int64_t columns : {64, 256})
    lines.push_back(line(n.c_str(), 8192, 8192, columns));
  for (int64_t width : {8, 16, 32, 64})
    lines.push_back(line(t.c_str(), width, width, kTallBytes / width / bytesOf(element)));
  return lines;
}

static std::vector<std::string> syrk(Element element) {
  return bytesOf(realOf(element)) < 4 ? std::vector<std::string>() : rankUpdates("syrk", element);
}
static std::vector<std::string> herk(Element element) {
  return componentsOf(element) < 2 ? std::vector<std::string>() : rankUpdates("herk", element);
}

static std::vector<std::string> batchedSolves(Element element) {
  std::vector<std::string> lines;
  for (int64_t size : {4, 8, 16, 32, 64})
    lines.push_back(
        line("trsm-llnu", size, size, size, kSolvesBytes / (2 * size * size * bytesOf(element))));
  return lines;
}

llvm::ArrayRef<ShapeClass> rooftile::bench::shapeClasses() {
  static const ShapeClass classes[] = {
      {"square", "powers of two, 128 to 8192", square},
      {"odd", "127, 1000, 1023, 2047, 4095", odd},
      {"trans", "4096 in the other transposed forms", trans},
      {"smallk", "M = N = 8192, K 4 to 256: the output is what moves", smallK},
      {"skinny", "M or N 8 to 100, the others 8192", skinny},
      {"longk", "M = N = 256, K 16384 and 131072", longK},
      {"batched", "8 to 128, as many as make 16 Mi elements", batched},
      {"tsmttsm", "TSMTTSM (A^T B of block vectors) of 4 GiB, width 1 to 64", tsmttsm},
      {"tsmm", "block vectors of 4 GiB times a small matrix, width 1 to 64", tsmm},
      {"trmm", "triangular products, 256 to 8192, tall and wide", trmm},
      {"trsm", "triangular solves, the same", trsm},
      {"syrk", "symmetric updates, 1000 to 8192, A^T A of 4 GiB, width 8 to 64", syrk},
      {"herk", "Hermitian updates, the same", herk},
      {"trsmbatched", "solves of order 4 to 64, as many as make 2 GiB", batchedSolves}};
  return classes;
}

std::vector<StringRef> rooftile::bench::elementNames() {
  std::vector<StringRef> names;
  for (Element element : kTimedElements)
    names.push_back(nameOf(element));
  return names;
}

llvm::Expected<std::vector<StringRef>> rooftile::bench::chosenNames(StringRef list,
                                                                    const char *what,
                                                                    const char *plural,
                                                                    std::vector<StringRef> known) {
  if (list == "all")
    return known;
  std::vector<StringRef> names;
  for (StringRef name : llvm::split(list, ',')) {
    if (!llvm::is_contained(known, name))
      return llvm::createStringError("unknown " + llvm::Twine(what) + " '" + name + "'; " + plural +
                                     " are " + llvm::join(known, ", ") + ", all");
    names.push_back(name);
  }
  return names;
}

llvm::Expected<std::vector<Shape>> rooftile::bench::shapesOf(StringRef names, StringRef types) {
  std::vector<StringRef> classNames;
  for (const ShapeClass &shapeClass : shapeClasses())
    classNames.push_back(shapeClass.name);
  auto classes = chosenNames(names, "class", "classes", classNames);
  auto chosenTypes =
      classes ? chosenNames(types, "type", "types", elementNames()) : classes.takeError();
  if (!chosenTypes)
    return chosenTypes.takeError();
  std::vector<Shape> shapes;
  for (StringRef type : *chosenTypes)
    for (const ShapeClass &shapeClass : shapeClasses()) {
      if (!llvm::is_contained(*classes, StringRef(shapeClass.name)))
        continue;
      for (const std::string &line : shapeClass.lines(*operation::elementNamed(type))) {
        shapes.push_back(llvm::cantFail(Shape::parse((type + " " + line).str())));
        shapes.back().group = shapeClass.name;
      }
    }
  return shapes;
}

llvm::Expected<std::vector<Shape>> rooftile::bench::readList(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file);
  if (!buffer)
    return llvm::createStringError("cannot read '" + file + "': " + buffer.getError().message());
  std::vector<Shape> shapes;
  int number = 0;
  for (StringRef line : llvm::split((*buffer)->getBuffer(), '\n')) {
    ++number;
    // A `#` that begins a plan's name is no comment.
    size_t comment = line.find('#');
    while (comment != StringRef::npos && line.substr(comment).starts_with("#blas."))
      comment = line.find('#', comment + 1);
    line = line.substr(0, comment).trim();
    if (line.empty())
      continue;
    llvm::Expected<Shape> shape = Shape::parse(line);
    if (!shape)
      return llvm::createStringError(file + ":" + llvm::Twine(number) + ": " +
                                     llvm::toString(shape.takeError()));
    shapes.push_back(std::move(*shape));
  }
  if (shapes.empty())
    return llvm::createStringError(file + ": the list is empty");
  return shapes;
}
