// Boost.Lockfree's stack and spsc_queue over the checker's atomics, from the headers in Debian's
// libboost-dev: checked::boost::lockfree::stack<T>.
//
// Their own headers are included inside of `checked`, and those of the rest of Boost before,
// outside.
#ifndef NOWAIT_MODELS_FOREIGN_BOOST_LOCKFREE_H_
#define NOWAIT_MODELS_FOREIGN_BOOST_LOCKFREE_H_

#include <boost/predef.h>
#include <nowait_check/as_std.h>

#include <boost/align/align_up.hpp>
#include <boost/align/aligned_allocator_adaptor.hpp>
#include <boost/aligned_storage.hpp>
#include <boost/array.hpp>
#include <boost/assert.hpp>
#include <boost/checked_delete.hpp>
#include <boost/config.hpp>
#include <boost/core/allocator_access.hpp>
#include <boost/core/no_exceptions_support.hpp>
#include <boost/cstdint.hpp>
#include <boost/integer_traits.hpp>
#include <boost/mpl/bool.hpp>
#include <boost/mpl/if.hpp>
#include <boost/mpl/size_t.hpp>
#include <boost/mpl/void.hpp>
#include <boost/next_prior.hpp>
#include <boost/noncopyable.hpp>
#include <boost/parameter/binding.hpp>
#include <boost/parameter/optional.hpp>
#include <boost/parameter/parameters.hpp>
#include <boost/parameter/template_keyword.hpp>
#include <boost/static_assert.hpp>
#include <boost/tuple/tuple.hpp>
#include <boost/type_traits/has_trivial_assign.hpp>
#include <boost/type_traits/has_trivial_destructor.hpp>
#include <boost/type_traits/is_convertible.hpp>
#include <boost/type_traits/is_copy_constructible.hpp>
#include <boost/type_traits/is_same.hpp>
#include <boost/utility.hpp>
#include <boost/utility/enable_if.hpp>

namespace checked {
namespace std = nowait::check::as_std;
namespace boost {
using namespace ::boost;
}
#include <boost/lockfree/spsc_queue.hpp>
#include <boost/lockfree/stack.hpp>
}  // namespace checked

#endif  // NOWAIT_MODELS_FOREIGN_BOOST_LOCKFREE_H_
