// Dimensions as users write them.
#include "sinter/dim.h"

#include "ir/index_expr.h"
#include "ir/text.h"

namespace sinter {

namespace {

std::shared_ptr<const ir::IndexExpr> share(ir::IndexExpr expr) {
  return std::make_shared<const ir::IndexExpr>(std::move(expr));
}

/// Errors show the whole text.
ir::IndexExpr parse(const std::string& text) {
  return ir::parse_dim(text, "dimension '" + text + "'");
}

}  // namespace

Dim::Dim(std::int64_t number) : expr_(share(ir::IndexExpr(number))) {}
Dim::Dim(int number) : Dim(static_cast<std::int64_t>(number)) {}
Dim::Dim(const char* expression) : expr_(share(parse(expression))) {}
Dim::Dim(const std::string& expression) : expr_(share(parse(expression))) {}
Dim::Dim(const ir::IndexExpr& expr) : expr_(share(expr)) {}

std::string Dim::text() const { return ir::to_string(*expr_); }

Dim operator+(const Dim& a, const Dim& b) { return Dim(a.expr() + b.expr()); }
Dim operator-(const Dim& a, const Dim& b) { return Dim(a.expr() - b.expr()); }
Dim operator*(const Dim& a, const Dim& b) { return Dim(a.expr() * b.expr()); }
Dim operator/(const Dim& a, const Dim& b) { return Dim(ir::floor_div(a.expr(), b.expr())); }

}  // namespace sinter
