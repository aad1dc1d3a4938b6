// Equations of any number of operands become binary ones: diagonals are gathers, labels that only one
// operand has are summed first.
#include "sinter/contraction.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "dsl/composite.h"
#include "ir/broadcast.h"
#include "ir/define/expr.h"
#include "ir/text.h"
#include "support/check.h"
#include "support/counted.h"

namespace sinter {

namespace {

using ir::AttributeName;
using ir::Expr;
using ir::Op;
using support::throw_user_at;

struct Term {
  Expr value;
  std::string labels;
};
using Terms = std::vector<Term>;

struct Parsed {
  std::vector<std::string> operands;
  std::string result;
  std::string stretched;  // labels that came from "...", of which extents of 1 stretch
};

bool has(const std::string& labels, char label) { return labels.find(label) != std::string::npos; }

const std::string kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const std::string kDots = "...";

/// Letters that stand once in all operands, sorted, after the dimensions that have none.
std::string implicit_result(const std::vector<std::string>& operands) {
  std::map<char, int> counts;
  bool has_dots = false;
  for (const std::string& labels : operands) {
    has_dots = has_dots || labels.find(kDots) != std::string::npos;
    for (const char label : labels) counts[label] += label == '.' ? 2 : 1;
  }
  std::string result = has_dots ? kDots : "";
  for (const auto& [label, count] : counts) {
    if (count == 1) result += label;
  }
  return result;
}

/// Letters of their own instead of "...": those of all operands align at the right.
void expand_dots(Parsed& parsed, const std::vector<std::size_t>& ranks, const std::string& equation,
                 const SourceLocation& location) {
  std::string fresh;
  for (const char letter : kLetters) {
    if (equation.find(letter) == std::string::npos) fresh += letter;
  }
  std::size_t most = 0;
  const auto put = [&](std::string& labels, std::size_t count) {
    labels.replace(labels.find(kDots), kDots.size(), fresh.substr(most - count, count));
  };
  const auto count_of = [&](std::size_t i) {
    const std::size_t letters = parsed.operands[i].size() - kDots.size();
    if (letters <= ranks[i] && ranks[i] - letters <= fresh.size()) return ranks[i] - letters;
    throw_user_at(location, "einsum '{}': '{}' is of {} labels or more; the operand has rank {}",
                  equation, parsed.operands[i], letters, ranks[i]);
  };
  std::vector<std::size_t> with_dots;
  for (std::size_t i = 0; i < parsed.operands.size(); ++i) {
    if (parsed.operands[i].find(kDots) == std::string::npos) continue;
    with_dots.push_back(i);
    most = std::max(most, count_of(i));
  }
  for (const std::size_t i : with_dots) put(parsed.operands[i], count_of(i));
  parsed.stretched = fresh.substr(0, most);
  if (parsed.result.find(kDots) != std::string::npos) {
    put(parsed.result, most);
  } else if (most > 0) {
    throw_user_at(location, "einsum '{}': the result needs '...' too", equation);
  }
}

Parsed parse(const std::string& equation, const std::vector<std::size_t>& ranks,
             const SourceLocation& location) {
  std::string text;
  for (const char c : equation) {
    if (c != ' ') text += c;
  }
  const std::size_t arrow = text.find("->");
  std::string left = text.substr(0, arrow);
  Parsed parsed;
  for (std::size_t comma = left.find(','); comma != std::string::npos; comma = left.find(',')) {
    parsed.operands.push_back(left.substr(0, comma));
    left.erase(0, comma + 1);
  }
  parsed.operands.push_back(left);
  if (parsed.operands.size() != ranks.size()) {
    throw_user_at(location, "einsum '{}' is of {}; given {}", equation,
                  support::counted(parsed.operands.size(), "operand"), ranks.size());
  }
  const bool is_implicit = arrow == std::string::npos;
  parsed.result = is_implicit ? implicit_result(parsed.operands) : text.substr(arrow + 2);
  expand_dots(parsed, ranks, equation, location);
  std::string all = parsed.result;
  for (const std::string& labels : parsed.operands) all += labels;
  for (const char label : all) {
    if (std::isalpha(static_cast<unsigned char>(label)) != 0) continue;
    throw_user_at(location, "einsum '{}': labels are letters; given '{}'", equation, label);
  }
  for (const char label : parsed.result) {
    if (std::count(parsed.result.begin(), parsed.result.end(), label) > 1) {
      throw_user_at(location, "einsum '{}': label {} stands twice in the result", equation, label);
    }
    const bool is_known =
        std::any_of(parsed.operands.begin(), parsed.operands.end(),
                    [&](const std::string& labels) { return has(labels, label); });
    if (!is_known) {
      throw_user_at(location, "einsum '{}': label {} of the result stands in no operand", equation,
                    label);
    }
  }
  return parsed;
}

/// Extents of 1 beside others stretch: the label goes from those terms.
void drop_ones(Terms& terms, char label) {
  const auto is_one = [&](const Term& term) {
    const std::size_t d = term.labels.find(label);
    return d < term.value.rank() && term.value.shape()[d] == ir::Dim(1);
  };
  const auto has_other = [&](const Term& term) { return has(term.labels, label) && !is_one(term); };
  if (std::none_of(terms.begin(), terms.end(), has_other)) return;
  for (Term& term : terms) {
    if (!is_one(term)) continue;
    ir::Shape shape = term.value.shape();
    const auto d = static_cast<std::ptrdiff_t>(term.labels.find(label));
    shape.erase(shape.begin() + d);
    term.labels.erase(term.labels.begin() + d);
    term.value = ir::reshape(term.value, shape);
  }
}

class Contraction {
 public:
  Contraction(Terms terms, std::string result, Precision precision, std::string equation)
      : terms_(std::move(terms)),
        result_(std::move(result)),
        precision_(static_cast<ir::Precision>(precision)),
        equation_(std::move(equation)) {}

  Expr run() {
    find_extents();
    for (Term& term : terms_) fit(term);
    const bool is_one_product = terms_.size() == 2 && !sums_alone(0) && !sums_alone(1);
    if (!is_one_product) widen();
    while (terms_.size() > 1) {
      for (std::size_t i = 0; i < terms_.size(); ++i) sum_alone(i);
      const auto [a, b] = choose();
      multiply(a, b);
    }
    sum_alone(0);
    return ordered();
  }

 private:
  const SourceLocation& location() const { return terms_[0].value.location(); }

  /// One extent a label; where names may be equal, each call checks that they are.
  void find_extents() {
    for (const Term& term : terms_) {
      if (term.labels.size() != term.value.rank()) {
        throw_user_at(location(), "einsum '{}': '{}' has {} labels, but the operand is {}",
                      equation_, term.labels, term.labels.size(), ir::to_string(term.value.type()));
      }
      for (std::size_t d = 0; d < term.labels.size(); ++d) {
        const ir::Dim dim = term.value.shape()[d];
        const auto [known, is_new] = extents_.try_emplace(term.labels[d], dim);
        if (is_new || known->second == dim) continue;
        const auto unified = ir::unify_dims(known->second, dim);
        // A 1 would stretch instead of being compared.
        if (!unified || dim == ir::Dim(1) || known->second == ir::Dim(1)) {
          throw_user_at(location(), "einsum '{}': label {} has two extents: {} and {}", equation_,
                        term.labels[d], ir::to_string(known->second), ir::to_string(dim));
        }
        known->second = *unified;
      }
    }
  }

  ir::Shape shape_of(const std::string& labels) const {
    ir::Shape shape;
    for (const char label : labels) shape.push_back(extents_.at(label));
    return shape;
  }

  /// The extents that were found, and each label once.
  void fit(Term& term) {
    term.value = ir::broadcast_to(term.value, shape_of(term.labels));
    std::string once;
    for (const char label : term.labels) {
      if (!has(once, label)) once += label;
    }
    if (once == term.labels) return;
    const ir::Shape shape = shape_of(once);
    ir::Exprs indices;
    for (const char label : term.labels) {
      indices.push_back(ir::iota(term.value, shape, static_cast<std::int64_t>(once.find(label))));
    }
    term = {ir::gather(term.value, indices), once};
  }

  /// To what products of this dtype add up in.
  void widen() {
    const DType dtype = terms_[0].value.dtype();
    const ir::Type scalar{dtype, {}};
    const DType wide =
        ir::infer_types(Op::Einsum, {scalar, scalar},
                        {{AttributeName::Equation, std::string(",->")}}, location())[0]
            .dtype;
    for (Term& term : terms_) term.value = ir::cast(term.value, wide);
  }

  bool is_needed(char label, std::size_t a, std::size_t b) const {
    if (has(result_, label)) return true;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      if (i != a && i != b && has(terms_[i].labels, label)) return true;
    }
    return false;
  }

  bool sums_alone(std::size_t i) const {
    return std::any_of(terms_[i].labels.begin(), terms_[i].labels.end(),
                       [&](char label) { return !is_needed(label, i, i); });
  }

  void sum_alone(std::size_t i) {
    ir::Integers axes;
    std::string kept;
    Term& term = terms_[i];
    for (std::size_t d = 0; d < term.labels.size(); ++d) {
      if (is_needed(term.labels[d], i, i)) {
        kept += term.labels[d];
      } else {
        axes.push_back(static_cast<std::int64_t>(d));
      }
    }
    if (axes.empty()) return;
    const DType dtype = term.value.dtype();
    term = {ir::make_node(Op::Sum, {term.value},
                          {{AttributeName::DType, dtype}, {AttributeName::Axes, axes}}),
            kept};
  }

  /// Labels of the product of two terms: the result's first, in its order.
  std::string product_labels(std::size_t a, std::size_t b) const {
    const std::string both = terms_[a].labels + terms_[b].labels;
    std::string labels;
    for (const char label : result_ + both) {
      if (has(both, label) && is_needed(label, a, b) && !has(labels, label)) labels += label;
    }
    return labels;
  }

  /// The pair of the smallest product; the first two where an extent is a name.
  std::pair<std::size_t, std::size_t> choose() const {
    for (const auto& [label, extent] : extents_) {
      if (!extent.is_constant()) return {0, 1};
    }
    std::pair<std::size_t, std::size_t> best{0, 1};
    double least = -1;
    for (std::size_t a = 0; a < terms_.size(); ++a) {
      for (std::size_t b = a + 1; b < terms_.size(); ++b) {
        double elements = 1;
        for (const char label : product_labels(a, b)) {
          elements *= static_cast<double>(extents_.at(label).constant());
        }
        if (least >= 0 && elements >= least) continue;
        least = elements;
        best = {a, b};
      }
    }
    return best;
  }

  void multiply(std::size_t a, std::size_t b) {
    const std::string labels = product_labels(a, b);
    const Expr product = ir::einsum(terms_[a].labels + "," + terms_[b].labels + "->" + labels,
                                    terms_[a].value, terms_[b].value, precision_);
    terms_[a] = {product, labels};
    terms_.erase(terms_.begin() + static_cast<std::ptrdiff_t>(b));
  }

  Expr ordered() const {
    const Term& term = terms_[0];
    if (term.labels == result_) return term.value;
    ir::Integers axes;
    for (const char label : result_) {
      axes.push_back(static_cast<std::int64_t>(term.labels.find(label)));
    }
    return ir::permute(term.value, axes);
  }

  Terms terms_;
  std::string result_;
  ir::Precision precision_;
  std::string equation_;
  std::map<char, ir::Dim> extents_;
};

Tensor to_tensor(const std::shared_ptr<dsl::Trace>& trace, const Expr& expr) {
  return {trace, expr.value().node, expr.value().result};
}

Tensor einsum_at(const std::string& equation, const std::vector<Tensor>& operands,
                 Precision precision, const SourceLocation& location,
                 const char* function = "einsum") {
  std::vector<std::size_t> ranks;
  for (const Tensor& operand : operands) ranks.push_back(static_cast<std::size_t>(operand.rank()));
  const Parsed parsed = parse(equation, ranks, location);
  const std::shared_ptr<dsl::Trace>& trace = operands.at(0).trace();
  Terms terms;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    dsl::check_current(operands[i].trace(), location);
    if (operands[i].dtype() != operands[0].dtype()) {
      throw_user_at(location, "{} needs operands of one dtype; given {} and {}: cast one", function,
                    to_string(dsl::type_of(operands[0])), to_string(dsl::type_of(operands[i])));
    }
    terms.push_back({Expr(trace->graph, dsl::to_value(operands[i]), location), parsed.operands[i]});
  }
  for (const char label : parsed.stretched) drop_ones(terms, label);
  return to_tensor(trace, Contraction(terms, parsed.result, precision, equation).run());
}

/// A label a dimension, from the `first` on.
std::string fresh_labels(int count, std::size_t first, const SourceLocation& location) {
  if (first + static_cast<std::size_t>(count) > kLetters.size()) {
    throw_user_at(location, "tensordot of more than {} dimensions", kLetters.size());
  }
  return kLetters.substr(first, static_cast<std::size_t>(count));
}

}  // namespace

Tensor einsum(const std::string& equation, const std::vector<Tensor>& operands, Precision precision,
              const char* file, int line) {
  return einsum_at(equation, operands, precision, {file, line});
}

Tensor linear(const Operand& x, const Tensor& weight, const std::optional<Tensor>& bias,
              Precision precision) {
  const char* file = x.location().file.c_str();
  const int line = x.location().line;
  if (weight.rank() != 2) {
    throw_user_at(x.location(), "linear needs a weight [out, in]; given a tensor of rank {}",
                  weight.rank());
  }
  const Tensor& input = dsl::require_tensor(x, "linear");
  const bool has_inner = input.rank() > 0 && !ir::is_provably_different(dsl::shape_of(input).back(),
                                                                        dsl::shape_of(weight)[1]);
  if (!has_inner) {
    throw_user_at(x.location(), "linear needs x [..., in] and a weight [out, in]; given {} and {}",
                  ir::to_string(dsl::shape_of(input)), ir::to_string(dsl::shape_of(weight)));
  }
  const Tensor product =
      matmul(x, Operand(transpose(Operand(weight, file, line)), file, line), precision);
  if (!bias) return product;
  if (bias->rank() != 1 ||
      ir::is_provably_different(dsl::shape_of(*bias)[0], dsl::shape_of(weight)[0])) {
    throw_user_at(x.location(), "linear needs a bias [{}]; given {}",
                  ir::to_string(dsl::shape_of(weight)[0]), ir::to_string(dsl::shape_of(*bias)));
  }
  return Operand(product, file, line) + Operand(*bias, file, line);
}

Tensor outer(const Operand& a, const Tensor& b) {
  return einsum_at("i,j->ij", {dsl::require_tensor(a, "outer"), b}, Precision::Split, a.location(),
                   "outer");
}

Tensor tensordot(const Operand& a, const Tensor& b, const std::vector<int>& a_axes,
                 const std::vector<int>& b_axes, Precision precision) {
  const Tensor& left = dsl::require_tensor(a, "tensordot");
  if (a_axes.size() != b_axes.size()) {
    throw_user_at(a.location(), "tensordot sums over {} of one operand and {} of the other",
                  support::counted(a_axes.size(), "dimension"), b_axes.size());
  }
  const std::string a_labels = fresh_labels(left.rank(), 0, a.location());
  std::string b_labels = fresh_labels(b.rank(), a_labels.size(), a.location());
  std::string result = a_labels + b_labels;
  for (std::size_t i = 0; i < a_axes.size(); ++i) {
    const auto from =
        static_cast<std::size_t>(dsl::normalize_axis(a_axes[i], left.rank(), a.location()));
    const auto to =
        static_cast<std::size_t>(dsl::normalize_axis(b_axes[i], b.rank(), a.location()));
    if (!has(result, a_labels[from]) || !has(result, b_labels[to])) {
      throw_user_at(a.location(), "tensordot names a dimension twice");
    }
    if (ir::is_provably_different(dsl::shape_of(left)[from], dsl::shape_of(b)[to])) {
      throw_user_at(a.location(), "tensordot of {} and {} sums over extents {} and {}",
                    ir::to_string(dsl::shape_of(left)), ir::to_string(dsl::shape_of(b)),
                    ir::to_string(dsl::shape_of(left)[from]), ir::to_string(dsl::shape_of(b)[to]));
    }
    std::erase(result, a_labels[from]);
    std::erase(result, b_labels[to]);
    b_labels[to] = a_labels[from];
  }
  return einsum_at(a_labels + "," + b_labels + "->" + result, {left, b}, precision, a.location(),
                   "tensordot");
}

Tensor grouped_matmul(const Operand& x, const Tensor& w, const Tensor& offsets,
                      Precision precision) {
  return dsl::add_composite(Op::GroupedMatmul, x, {w, offsets},
                            {{AttributeName::Precision, static_cast<ir::Precision>(precision)}});
}

}  // namespace sinter
