//! Numbers written as formulas: `(fx - mu*m*g) / m`.
//!
//! `+ − * / ^`, brackets, numbers, names, and the functions listed in [`FUNCTIONS`]; angles in radians. `^` binds to
//! the right and stronger than a sign: −2^2 = −4.

/// Functions of one number.
type Unary = (&'static str, fn(f64) -> f64);

/// Functions of formulas, besides `min`, `max` and `atan2` of two numbers.
pub const FUNCTIONS: [Unary; 17] = [
    ("sqrt", f64::sqrt),
    ("abs", f64::abs),
    ("exp", f64::exp),
    ("ln", f64::ln),
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("asin", f64::asin),
    ("acos", f64::acos),
    ("atan", f64::atan),
    ("sinh", f64::sinh),
    ("cosh", f64::cosh),
    ("tanh", f64::tanh),
    ("acosh", f64::acosh),
    ("rad", f64::to_radians),
    ("deg", f64::to_degrees),
    ("floor", f64::floor),
];

/// Evaluates a formula; `name` gives the value of a name. Errors give the reason and the position.
///
/// ```
/// let value = voussoir_run::validate::formula::evaluate("2*sqrt(x)^2 - 1", &mut |_| Ok(3.0));
/// assert!((value.unwrap() - 5.0).abs() < 1e-12);
/// ```
pub fn evaluate(text: &str, name: &mut dyn FnMut(&str) -> Result<f64, String>) -> Result<f64, String> {
    let mut parser = Parser { text, at: 0, depth: 0, name };
    let value = parser.sum()?;
    parser.blanks();
    match parser.rest().chars().next() {
        None => Ok(value),
        Some(c) => Err(parser.wrong(&format!("unexpected `{c}`"))),
    }
}

/// Maximum nesting depth of brackets.
const DEEPEST_NESTING: usize = 64;

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    name: &'a mut dyn FnMut(&str) -> Result<f64, String>,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn wrong(&self, what: &str) -> String {
        format!("formula `{}`: {what} at character {}", self.text, self.text[..self.at].chars().count() + 1)
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Consumes one of the characters if it is next.
    fn accept(&mut self, any: &[char]) -> Option<char> {
        self.blanks();
        let c = self.rest().chars().next().filter(|c| any.contains(c))?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn sum(&mut self) -> Result<f64, String> {
        let mut value = self.product()?;
        while let Some(sign) = self.accept(&['+', '-']) {
            let next = self.product()?;
            value = if sign == '+' { value + next } else { value - next };
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut value = self.signed()?;
        while let Some(sign) = self.accept(&['*', '/']) {
            let next = self.signed()?;
            value = if sign == '*' { value * next } else { value / next };
        }
        Ok(value)
    }

    fn signed(&mut self) -> Result<f64, String> {
        let mut negative = false;
        while let Some(sign) = self.accept(&['+', '-']) {
            negative ^= sign == '-';
        }
        let value = self.power()?;
        Ok(if negative { -value } else { value })
    }

    fn power(&mut self) -> Result<f64, String> {
        let base = self.atom()?;
        if self.accept(&['^']).is_none() {
            return Ok(base);
        }
        self.deeper()?;
        let exponent = self.signed()?;
        self.depth -= 1;
        Ok(base.powf(exponent))
    }

    fn deeper(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > DEEPEST_NESTING { Err(self.wrong("nested too deeply")) } else { Ok(()) }
    }

    fn atom(&mut self) -> Result<f64, String> {
        if self.accept(&['(']).is_some() {
            self.deeper()?;
            let value = self.sum()?;
            self.close()?;
            return Ok(value);
        }
        let rest = self.rest();
        match rest.chars().next() {
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => {
                let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
                self.at += end;
                self.word(&rest[..end])
            }
            Some(c) => Err(self.wrong(&format!("unexpected `{c}`"))),
            None => Err(self.wrong("a number is missing")),
        }
    }

    fn close(&mut self) -> Result<(), String> {
        self.depth -= 1;
        self.accept(&[')']).map(|_| ()).ok_or_else(|| self.wrong("`)` is missing"))
    }

    fn number(&mut self) -> Result<f64, String> {
        let rest = self.rest();
        let mut end = 0;
        for (i, c) in rest.char_indices() {
            let exponent_sign = (c == '-' || c == '+') && rest[..i].ends_with(['e', 'E']);
            if !(c.is_ascii_digit() || c == '.' || c == 'e' || c == 'E' || exponent_sign) {
                break;
            }
            end = i + c.len_utf8();
        }
        let value = rest[..end].parse().map_err(|_| self.wrong(&format!("`{}` is no number", &rest[..end])))?;
        self.at += end;
        Ok(value)
    }

    fn word(&mut self, word: &str) -> Result<f64, String> {
        if self.accept(&['(']).is_none() {
            return if word == "pi" { Ok(std::f64::consts::PI) } else { (self.name)(word) };
        }
        self.deeper()?;
        let first = self.sum()?;
        let value = if self.accept(&[',']).is_some() {
            let second = self.sum()?;
            match word {
                "min" => first.min(second),
                "max" => first.max(second),
                "atan2" => first.atan2(second),
                _ => return Err(self.wrong(&format!("there is no function `{word}` of two numbers"))),
            }
        } else {
            let function = FUNCTIONS.iter().find(|(name, _)| *name == word);
            function.ok_or_else(|| self.wrong(&format!("there is no function `{word}` of one number")))?.1(first)
        };
        self.close()?;
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<f64, String> {
        evaluate(text, &mut |name| match name {
            "g" => Ok(9.81),
            "mu" => Ok(0.4),
            _ => Err(format!("there is no value `{name}`")),
        })
    }

    #[test]
    fn precedence_is_that_of_mathematics() {
        for (text, expected) in [
            ("1 + 2*3", 7.0),
            ("(1 + 2)*3", 9.0),
            ("2^3^2", 512.0),
            ("-2^2", -4.0),
            ("2^-1", 0.5),
            ("8/4/2", 1.0),
            ("1 - 2 - 3", -4.0),
            ("1.5e-3*2", 3e-3),
            ("mu*g", 0.4 * 9.81),
            ("min(mu, 0.5) + max(1, 2)", 2.4),
            ("atan2(1, 1)*4", std::f64::consts::PI),
            ("cos(pi)", -1.0),
            ("rad(180) - pi", 0.0),
        ] {
            assert!((value(text).unwrap() - expected).abs() < 1e-12, "{text}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("1 +", "a number is missing"),
            ("(1", "`)` is missing"),
            ("1 2", "unexpected `2`"),
            ("foo", "no value `foo`"),
            ("foo(1)", "no function `foo`"),
            ("1..2", "is no number"),
            ("", "a number is missing"),
        ] {
            let message = value(text).unwrap_err();
            assert!(message.contains(part), "{text}: {message}");
        }
        assert!(value(&"(".repeat(1000)).unwrap_err().contains("too deeply"));
        assert!(value(&"-".repeat(1000)).unwrap_err().contains("missing"));
        assert!(value(&"2^".repeat(1000)).unwrap_err().contains("too deeply"));
    }
}
